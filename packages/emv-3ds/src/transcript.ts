/** A component that takes part in an authentication: 3DS Server, Directory Server, ACS, and the cardholder's browser. */
export type Party = 'server' | 'directory' | 'issuer' | 'browser'

/** A message on its way. A message that is not of the standard, or not even JSON, is kept as it was. */
export interface SentMessage {
  from: Party
  to: Party
  /** `messageType`, such as `AReq`; `Method` for the data of a method page. */
  type: string
  message: unknown
}

/** A message as the transcript of a transaction keeps it. */
export interface TranscriptEntry extends SentMessage {
  /** Counts from 1, in the order in which the 3DS Server saw the messages. */
  position: number
  /** ISO 8601. */
  at: string
}

/** The transaction that messages are recorded for, and the time at which they were seen. */
export interface Recording {
  accountId: string
  /** `threeDSServerTransID`. */
  transactionId: string
  nowMs: number
}

/** A session of the 3DS Server as a list of transcripts shows it. */
export interface TimelineSession {
  id: string
  /** `threeDSServerTransID`. */
  externalSessionId: string
  paymentId: string | null
  provider: string
  status: string
  outcome: string
  createdAtMs: number
  /** In minor units, as digits: up to 48 of them. `null` where nothing was asked yet. */
  amount: { minor: string; currency: string } | null
  /** The parts of the card that may be shown. */
  card: { brand: string; last4: string } | null
}
