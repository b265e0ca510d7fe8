export { checkMessage, type CheckedMessage, type Expected } from './check-message.ts'
export { eciOf, shiftsLiability } from './eci.ts'
export { erroOf, errorDescriptions, type ErrorCode, type ErrorComponent, type ErrorReport } from './error-codes.ts'
export { messageTables } from './fields.ts'
export { isUuid, type Flaw, type Format, type IsoCodes } from './formats.ts'
export {
  isList,
  isRecord,
  maskAccountNumber,
  MESSAGE_TYPES,
  MESSAGE_VERSIONS,
  requiredText,
  textOf,
  TRANS_STATUSES,
  type EmvMessage,
  type EmvValue,
  type MessageType,
  type MessageVersion,
  type TransStatus,
} from './messages.ts'
export type { Category, Channel, Facts, Field, Rule, Scope } from './presence.ts'
export type { Party, Recording, SentMessage, TimelineSession, TranscriptEntry } from './transcript.ts'
