export { checkProcessors, refuseSimulators, type StoppedProcessor, stoppedProcessors } from './checks.ts'
export {
  type AttemptFacts,
  type AuthenticationResult,
  type Authorisation,
  type AuthorisationOutcome,
  type BuyerDetails,
  type CardToken,
  type CardUpdate,
  declined,
  type MethodName,
  type OtherMethod,
  type PresentedCard,
  type StoredCredential,
} from './authorisation.ts'
export {
  type Driver,
  driverFor,
  type DriverOf,
  type EvidenceOutcome,
  type PostAuthorizationOutcome,
  refused,
} from './driver.ts'
export { openDrivers, openedProcessor } from './open-drivers.ts'
export { presetCard } from './processors.ts'
export type {
  Capabilities,
  ProcessorDriver,
  ProcessorEvent,
  ReportedDispute,
  ReportedRefunds,
  SignedRequest,
} from './processor-driver.ts'
export {
  archiveProcessor,
  insertProcessor,
  liveConfigs,
  liveDrivers,
  liveProcessors,
  replaceWebhookSecret,
  requireRoomForProcessor,
} from './processors.ts'
export { checkSecret } from './check-secret.ts'
export {
  type Asker,
  checkedDriver,
  checkedSecret,
  checkedSettings,
  checkedWebhookSecret,
  type WantedSettings,
} from './check-wanted.ts'
export { processorLists, processors } from './manage-processors.ts'
export { type ProcessorRegistry, processorRegistry } from './registry.ts'
export {
  openProcessorSecret,
  ownSettings,
  type ProcessorSettings,
  readProcessorSettings,
  sealProcessorSecret,
  type SettingOption,
  sealedProcessorSecret,
} from './settings.ts'
export {
  type SimulatedDispute,
  type SimulatedProcessors,
  type SimulatedReversal,
  simulatorDriver,
  simulatorOf,
} from './simulator.ts'
export { paymentFlowsTable, type RawProcessorSettings, processorsTable } from './tables.ts'
export { withFault } from './driver.ts'
export { keptWebhookSecrets, openWebhookSecrets, sealWebhookSecret, sealedWebhookSecret } from './webhook-secret.ts'
