export { announceAudit } from './announce-audit.ts'
export { signDelivery, type Signing } from './attempt-delivery.ts'
export { releaseDeliveries, webhookBacklog } from './claim-deliveries.ts'
export { foldEventCounts } from './counts.ts'
export { type Delivery, type DeliveryPage, listDeliveries } from './deliveries.ts'
export { type Deliver, egress, refuseUndeliverable } from './egress.ts'
export { emit, type Emitter, emitterAt, type EventSubject } from './emit.ts'
export {
  enableEndpoint,
  type EndpointCall,
  listEndpoints,
  newEndpoint,
  type NewEndpoint,
  removeEndpoint,
  rotateSecret,
  type WebhookEndpoint,
  sealedWebhookSecrets,
} from './endpoints.ts'
export { events } from './events.ts'
export { eventLog } from './log.ts'
export { type RangeReplay, type ReplayedPage, replayEvent, replayRange } from './replays.ts'
export { type DeliveryState, webhookEndpointsTable } from './tables.ts'
export { startWebhookWorker } from './webhook-worker.ts'
