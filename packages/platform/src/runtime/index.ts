export { type AccountPlaces, accountPlaces } from './account-places.ts'
export { addressBlock, type AddressSet, addressSet, BLOCK_BITS, readAddress } from './addresses.ts'
export { allowsOrigin, isAnyPort } from './addresses.ts'
export { asWarnings, type Failures, failuresOf, startWorker } from './background-work.ts'
export { aheadClock, type Clock, manualClock, type ManualClock, steadyClock, systemClock } from './clock.ts'
export { acceptedEncoding, type ContentEncoding, encodedOnce, SharedBytes } from './content-encoding.ts'
export { SharedBeginning } from './shared-beginning.ts'
export { entityTag, isUnchanged, revisionOfTag } from './entity-tags.ts'
export { ApiError, type ApiErrorDetails, inStore, missing, OperatorError, requireUnarchived, taken } from './errors.ts'
export { makeFolder } from './folders.ts'
export { faultOf, type FaultOf, readFault } from './fault.ts'
export { base62, newId, uuidOf } from './randomness.ts'
export { drawOf, fraction, pickByWeight, type Randomness, seededRandomness, systemRandomness } from './randomness.ts'
export {
  type BoxKeys,
  boxOf,
  type KeyOperation,
  openWith,
  sealWith,
  type SecretBox,
  secretBox,
  weaknessOf,
} from './secret-box.ts'
export {
  aboutSettings,
  ConfigError,
  type Environment,
  nearestName,
  portSchema,
  type Reading,
  setting,
  wrongSetting,
} from './settings.ts'
export { sharesCookies, siteOf } from './site.ts'
export { startThread } from './thread.ts'
export { withoutAccents } from './without-accents.ts'
export { serveTasks, TaskStopped, workerPool, type WorkerPool } from './worker-pool.ts'
