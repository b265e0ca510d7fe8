export { authenticationResultOf } from './authentication-result.ts'
export {
  deleteDirectoryRow,
  type DirectoryRow,
  type DirectorySettings,
  directorySettings,
  findDirectoryRow,
  insertDirectoryRow,
  listDirectoryRows,
  updateDirectoryRow,
  readCertificates,
  readResultCertificates,
  type ResultSenders,
  resultSenders,
  tellOfRefusedResults,
  whyRefused,
} from './directory/index.ts'
export { challengeIndicators, decideExemption, type ExemptionFacts } from './exemptions.ts'
export {
  countLowValue,
  forgetLowValueLocks,
  giveBackLowValue,
  isCountedLowValue,
  resetLowValue,
  takeLowValue,
} from './low-value.ts'
export { RESULTS_PATH } from './emv-request.ts'
export { threedsFrame } from './frame.ts'
export {
  type Notification,
  type NotificationPage,
  notificationPage,
  type NotificationStep,
  recordChallenge,
  recordMethod,
  returnPage,
} from './notification.ts'
export { signActionToken } from './provider.ts'
export { threedsProviders } from './offered-providers.ts'
export { endSession, releaseSessions } from './outcome.ts'
export {
  type AuthenticateCard,
  authenticateCard,
  isMandated,
  requireProvider,
  requireUnexpired,
  type ThreedsProviders,
} from './provider.ts'
export {
  findSession,
  findSessionOf,
  insertSession,
  lapsedSessions,
  newSession,
  type SessionRecord,
} from './session-records.ts'
export { threeds } from './sessions.ts'
export type { BankAnswer, BankOpener, SimulatedBank } from './simulated-bank.ts'
export { outcomeOf, statusAt } from './status.ts'
export { type RunningThreeds, startThreeds, type ThreedsServer } from './threeds-server.ts'
export { forgetTranscripts } from './transcript.ts'
export { keepTrust } from './trust.ts'
export { threedsPersonalData } from './personal.ts'
