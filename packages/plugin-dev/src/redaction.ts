/** Names of what opens something, or is about a person or a card. */
const secret = /token|secret|authorization|number|cvc|code$|email|phone|name|line[12]|postal|pan/i
/** Names that match `secret` and are harmless. */
const harmless = /^(?:name|declineCode|errorCode|lineNumber)$/

/** Redacts secrets and personal data in a JSON value. */
export function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, isHidden(key, each) ? '•••' : redacted(each)]),
  )
}

function isHidden(key: string, value: unknown): boolean {
  return typeof value === 'string' && value !== '' && secret.test(key) && !harmless.test(key)
}

/** Fields of EMV 3DS messages that are secret or about the cardholder. Source: EMV 3DS 2.2.0. */
const hidden =
  /^(?:authenticationValue|cardholderName|cardExpiryDate|email|(?:home|mobile|work)Phone|(?:bill|ship)Addr\w+|browserIP|acctInfo|threeDSSessionData|challengeDataEntry|sdkEncData|deviceInfo)$/

/** Redacts an EMV 3DS message: field names stay, the cardholder's data do not. Anything else is redacted entirely. */
export function redactedMessage(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return '•••'
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, hidden.test(name) ? '•••' : value]))
}
