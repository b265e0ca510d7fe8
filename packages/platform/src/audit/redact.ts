import { hash } from 'node:crypto'
import { isObject } from '@tillwright/contract/json'
import type { Changes } from './tables.ts'

/** How much of a resource an entry keeps, as JSON; a larger one is represented by its digest. */
const KEPT_MAX_CHARS = 4_000
const DEPTH_MAX = 12

const REDACTED = '[redacted]'

/**
 * Fields kept of a resource, by its type. A type that is not here keeps all that have no name of a secret. Resources with
 * card data, and those of which many are written, name theirs.
 */
const keptFields: Readonly<Record<string, readonly string[]>> = {
  payment: words(`id status storeId orderId customerId paymentInstrumentId paymentFlowId amount currency captureMethod
    capturedAmount refundedAmount disputedAmount initiatedBy setupFutureUsage declineCode reason kind failure error reference`),
  paymentInstrument: ['id', 'storeId', 'customerId', 'type', 'isActive', 'isDefault', 'brand', 'last4', 'customer'],
  card: ['id', 'brand', 'last4'],
  threedsSession: ['id', 'sessionId', 'provider', 'status', 'paymentInstrumentId', 'transStatus', 'outcome', 'error'],
  apiKey: words(
    'id name kind roles scopes storeId allowedOrigins state expiresAt expiresAtMs revokedAt revokedAtMs replacedBy',
  ),
  processor: words(`id name driver processors archivedAt archived currencies brands networks settings merchant
    driverSettings hasSecret hasWebhookSecret replaced revision`),
  refundRequest:
    words(`id status storeId paymentId amount currency reason requestedBy decidedBy refundId approval createdAt
    expiresAt decidedAt`),
  webhookEndpoint: ['id', 'url', 'storeId', 'eventTypes', 'events', 'drafts', 'enabled'],
}

function words(text: string): string[] {
  return text.split(/\s+/)
}

/** Names of fields whose values are secrets, or are made from them, whatever the resource. */
const secretName =
  /secret|password|passphrase|credential|authori[sz]ation$|bearer|cookie|token|api_?key|private_?key|jwe|jws|jwk|signature|fingerprint|hash$|hashed|cvc|cvv|cvn|security_?code|cryptogram|cavv|authenticationvalue|card_?number|^pan$|^bin$|creq|cres|recovery|otp|mac$/i

/**
 * Values that are secrets wherever they stand: keys, session tokens, webhook secrets, JWTs, keys in PEM, card numbers. What
 * begins as a JWT is read no further than to where another may begin: callers choose the text, and its time would be the
 * square of its length.
 */
const secretValue =
  /(?:test|live)_[sp]k_[0-9A-Za-z]+|fstok_[\w-]+|fscode_[\w-]+|inv_[0-9A-Za-z]{43}|whsec_[\w+/=-]+|\beyJ(?:(?!-eyJ)[\w-])*\.[\w-]*\.[\w.-]*|-----BEGIN [^-]+-----[\s\S]*|\b\d(?:[ -]?\d){11,18}\b/g

/** User name and password in an address. */
const userInfo = /(:\/\/)[^/?#\s@]*@/g

/** The same patterns, to look whether there is anything to replace. */
const someSecret = new RegExp(`${secretValue.source}|${userInfo.source}`)

/** A text without the secrets that can be told by their look. */
export function withoutSecrets(text: string): string {
  if (!someSecret.test(text)) return text
  return text.replace(secretValue, REDACTED).replace(userInfo, `$1${REDACTED}@`)
}

/**
 * The changes of an entry as JSON: without secrets, and with digests in place of large values.
 *
 * @param type The type of the resource.
 */
export function redacted(type: string | null, { before, after }: Changes): string {
  const sides = [side('before', before, type), side('after', after, type)].filter((text) => text !== null)
  return `{${sides.join(',')}}`
}

function side(name: 'before' | 'after', value: unknown, type: string | null): string | null {
  if (value === undefined || value === null) return null
  const kept = type === null ? undefined : keptFields[type]
  const chosen = kept === undefined || !isObject(value) ? value : only(value, kept)
  const text = cleanJson(chosen) ?? JSON.stringify(stripped(chosen, 0))
  return `"${name}":${text.length <= KEPT_MAX_CHARS ? text : digestOf(text)}`
}

function digestOf(text: string): string {
  return JSON.stringify({ sha256: hash('sha256', text, 'hex'), length: text.length })
}

function only(value: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]))
}

/**
 * A value as JSON, if nothing in it has to be replaced: the usual case, in which one look at the whole text is enough.
 * Where a character is escaped, the text does not show strings as they are.
 *
 * @returns `null` if something may have to be replaced.
 */
function cleanJson(value: unknown): string | null {
  if (!hasPlainNames(value, 0)) return null
  const text = JSON.stringify(value)
  return text.includes('\\') || someSecret.test(text) ? null : text
}

/** Whether no field has the name of a secret, and nothing is nested too deeply or writes its own JSON. */
function hasPlainNames(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth >= DEPTH_MAX || 'toJSON' in value) return false
  if (Array.isArray(value)) return value.every((item) => hasPlainNames(item, depth + 1))
  return Object.entries(value).every(([name, inner]) => !isSecretName(name) && hasPlainNames(inner, depth + 1))
}

function stripped(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutSecrets(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return REDACTED
  if (Array.isArray(value)) return value.map((item) => stripped(item, depth + 1))
  const kept: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const isSecret = inner !== null && typeof inner !== 'boolean' && isSecretName(name)
    kept[withoutSecrets(name)] = isSecret ? REDACTED : stripped(inner, depth + 1)
  }
  return kept
}

/** Names come again with every change; a pattern of so many words is tried once for each. */
const judged = new Map<string, boolean>()
const JUDGED_MAX = 2_000

function isSecretName(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  if (judged.size >= JUDGED_MAX) judged.clear()
  const isSecret = secretName.test(name)
  judged.set(name, isSecret)
  return isSecret
}
