export { announceAudit } from './announce-audit.ts'
export { signDelivery } from './attempt-delivery.ts'
export { signedHeaders, type Signing, newSecret, openSecrets, sealedSecretsOf } from './signing.ts'
export { releaseDeliveries, webhookBacklog } from './claim-deliveries.ts'
export { foldEventCounts } from './counts.ts'
export { readTries } from './delivery-counts.ts'
export { type Delivery, type DeliveryPage, listDeliveries } from './deliveries.ts'
export { type Deliver, egress } from './egress.ts'
export { egressThread } from './egress-thread.ts'
export { emit, type Emitter, emitterAt, type EventSubject } from './emit.ts'
export {
  checkedUrl,
  enableEndpoint,
  type EndpointCall,
  listEndpoints,
  newEndpoint,
  type NewEndpoint,
  removeEndpoint,
  requireRoomForEndpoint,
  rotateSecret,
  sealedWebhookSecrets,
} from './endpoints.ts'
export { events } from './events.ts'
export { readEndpointPage, webhookEndpoints } from './manage-endpoints.ts'
export { eventLog } from './log.ts'
export { type LiveEvents, liveEvents } from './live-events.ts'
export { checkPeriod, type RangeReplay, type ReplayedPage, replayEvent, replayRange } from './replays.ts'
export { isPublicAddress } from './public-address.ts'
export { refuseUndeliverable } from './refuse-undeliverable.ts'
export { type DeliveryState, type SealedSecret, webhookEndpointsTable } from './tables.ts'
export { startWebhookWorker } from './webhook-worker.ts'
export { eventsPersonalData } from './personal.ts'
