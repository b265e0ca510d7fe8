/** What of a message of EMV 3DS is secret, or about the cardholder. Source: EMV 3DS 2.2.0. */
const hidden =
  /^(?:authenticationValue|cardholderName|cardExpiryDate|email|(?:home|mobile|work)Phone|(?:bill|ship)Addr\w+|browserIP|acctInfo|threeDSSessionData|challengeDataEntry|sdkEncData|deviceInfo)$/

/** A message as it may be shown: with its names and without the cardholder. What is no message is left out whole. */
export function redactedMessage(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return '•••'
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, hidden.test(name) ? '•••' : value]))
}
