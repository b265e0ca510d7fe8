/** Names of what opens something, or is about a person or a card. */
const secret = /token|secret|authorization|number|cvc|code$|email|phone|name|line[12]|postal|pan/i
/** What such a name may be of and still be shown. */
const harmless = /^(?:name|declineCode|errorCode|lineNumber)$/

/** A value of JSON as it may be shown: what is secret or about a person is left out of it. */
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
