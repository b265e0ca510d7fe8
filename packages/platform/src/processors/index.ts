export { checkProcessors, refuseSimulators, type StoppedProcessor, stoppedProcessors } from './checks.ts'
export {
  type AttemptFacts,
  type Authorisation,
  type AuthorisationOutcome,
  type CardToken,
  type DeclineCode,
  type Driver,
  driverFor,
  type DriverOf,
  type PostAuthorizationOutcome,
  type AuthenticationValue,
} from './driver.ts'
export { openDrivers, openedProcessor } from './open-drivers.ts'
export { presetCard } from './processors.ts'
export type {
  ProcessorDriver,
  ProcessorReport,
  ReportedDispute,
  ReportedRefunds,
  SecretRule,
  SignedRequest,
} from './processor-driver.ts'
export {
  archiveProcessor,
  insertProcessor,
  liveConfigs,
  liveDrivers,
  liveProcessors,
  processors,
} from './processors.ts'
export { type ProcessorRegistry, processorRegistry } from './registry.ts'
export {
  networkNames,
  openProcessorSecret,
  openWebhookSecret,
  ownSettings,
  type ProcessorSettings,
  readProcessorSettings,
  sealProcessorSecret,
  sealWebhookSecret,
  type SettingOption,
} from './settings.ts'
export { type SimulatedDispute, type SimulatedProcessors, simulatorDriver, simulatorOf } from './simulator.ts'
export { paymentFlowsTable, type RawProcessorSettings, processorsTable } from './tables.ts'
export { withFault } from './driver.ts'
