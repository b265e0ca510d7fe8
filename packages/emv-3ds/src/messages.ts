/** A value of a message field: any JSON. */
export type EmvValue = string | number | boolean | null | readonly EmvValue[] | { readonly [name: string]: EmvValue }

/** The messages of EMV 3DS that the 3DS Server, the Directory Server, the ACS and the browser exchange. */
export const MESSAGE_TYPES = ['PReq', 'PRes', 'AReq', 'ARes', 'CReq', 'CRes', 'RReq', 'RRes', 'Erro'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** The protocol versions of the tables, oldest first. */
export const MESSAGE_VERSIONS = ['2.1.0', '2.2.0'] as const
export type MessageVersion = (typeof MESSAGE_VERSIONS)[number]

/**
 * `transStatus`: authenticated (Y), attempted (A), not authenticated (N), could not be performed (U), rejected (R),
 * informational (I), challenge (C), decoupled challenge (D).
 */
export const TRANS_STATUSES = ['Y', 'A', 'N', 'U', 'R', 'I', 'C', 'D'] as const
export type TransStatus = (typeof TRANS_STATUSES)[number]

/**
 * A message with the field names of the standard. One that `checkMessage` found valid has every field its table
 * requires.
 */
export interface EmvMessage {
  readonly messageType: MessageType
  readonly messageVersion: MessageVersion
  readonly [name: string]: EmvValue
}

/** @returns The value of a string field; `undefined` if it is absent or of another type. */
export function textOf(message: { readonly [name: string]: EmvValue }, name: string): string | undefined {
  const value = message[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * Reads a string field that the table of a checked message requires.
 *
 * @throws {TypeError} If it is absent: the message was not checked.
 */
export function requiredText(message: EmvMessage, name: string): string {
  const value = textOf(message, name)
  if (value === undefined) throw new TypeError(`The ${message.messageType} has no ${name}; check the message first.`)
  return value
}

/**
 * Masks `acctNumber` of a message to its first six and last four digits, as logs and transcripts may contain it.
 * Anything without this field is returned unchanged.
 */
export function maskAccountNumber<Message>(message: Message): Message {
  if (typeof message !== 'object' || message === null || !('acctNumber' in message)) return message
  const [, first = '', last = ''] = /^(\d{6})\d+(\d{4})$/.exec(String(message.acctNumber)) ?? []
  return { ...message, acctNumber: `${first}******${last}` }
}

export function isList(value: EmvValue | undefined): value is readonly EmvValue[] {
  return Array.isArray(value)
}

export function isRecord(value: EmvValue | undefined): value is { readonly [name: string]: EmvValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
