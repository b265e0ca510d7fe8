/** What a field of a message can hold. */
export type EmvValue = string | number | boolean | null | readonly EmvValue[] | { readonly [name: string]: EmvValue }

/** The messages of EMV 3DS between server, directory, issuer and browser. */
export const MESSAGE_TYPES = ['PReq', 'PRes', 'AReq', 'ARes', 'CReq', 'CRes', 'RReq', 'RRes', 'Erro'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** The versions that are spoken, oldest first. */
export const MESSAGE_VERSIONS = ['2.1.0', '2.2.0'] as const
export type MessageVersion = (typeof MESSAGE_VERSIONS)[number]

/** A message with the names of the standard. One that `checkMessage` let pass has what its table requires. */
export interface EmvMessage {
  readonly messageType: MessageType
  readonly messageVersion: MessageVersion
  readonly [name: string]: EmvValue
}

/** A field that is a text, or `undefined`: for fields that the table of the message may leave out. */
export function textOf(message: { readonly [name: string]: EmvValue }, name: string): string | undefined {
  const value = message[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * A field of a checked message that its table requires to be a text.
 *
 * @throws {TypeError} When it is not there: the message was not checked.
 */
export function requiredText(message: EmvMessage, name: string): string {
  const value = textOf(message, name)
  if (value === undefined) throw new TypeError(`The ${message.messageType} has no ${name}, although it was checked.`)
  return value
}
