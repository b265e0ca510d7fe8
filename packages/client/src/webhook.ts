import {
  type EventProperties,
  type EventType,
  eventTypes,
  hookQuestion,
  type HookQuestion,
  webhookPayload,
  type WebhookPayload,
} from '@tillwright/contract'
import { Webhook } from 'standardwebhooks'
import { parseJson } from './request.ts'
import { TillwrightError } from './tillwright-error.ts'

/** The delivery's headers, from Node or the Fetch API, whichever library implements it. */
export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Verifies that a webhook comes from the platform, was sent within the last five minutes and was not altered.
 *
 * @param body The raw body of the request: a parsed and re-serialized body does not verify.
 * @param secret The endpoint's `whsec_...`; both secrets while one replaces the other.
 * @returns The delivery. It may arrive more than once, with the same `id` each time.
 * @throws {TillwrightError} `webhook_invalid`: respond with 400 and do nothing. `options_invalid` for a malformed
 *   secret, and for a body that was parsed already. Source: Standard Webhooks 1.0.0, "Verifying webhook authenticity".
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): WebhookPayload {
  const read = webhookPayload.safeParse(parseJson(verifiedText(body, headers, secret)))
  if (read.success) return read.data
  throw invalid('it is signed, but its body is not a Tillwright event')
}

/**
 * Verifies that a question to one of a store's hooks comes from the platform, as `verifyWebhook` does for an event.
 *
 * @param secret The hook's `whsec_...`; both secrets while one replaces the other.
 * @returns The question. Answer it with a 200 and the JSON that its `kind` asks for. It may be asked more than once, with
 *   the same `id`.
 * @throws {TillwrightError} `webhook_invalid`: respond with 400. `options_invalid` for a malformed secret.
 */
export function verifyHook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): HookQuestion {
  const read = hookQuestion.safeParse(parseJson(verifiedText(body, headers, secret)))
  if (read.success) return read.data
  throw invalid('it is signed, but its body is not a question to a hook')
}

function verifiedText(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[]): string {
  const text = rawText(body)
  const signed = Object.fromEntries(signedHeaders.map((name) => [name, headerValue(headers, name)]))
  const refusals = verifiers(secret).map((verifier) =>
    rejection(() => verifier.verify(text, signed, { jsonParse: false })),
  )
  if (!refusals.includes(null))
    throw invalid(refusals.find((problem) => problem !== noMatch) ?? `${noMatch}. ${noMatchHelp}`)
  return text
}

/** JavaScript may pass anything, most often what a framework has parsed before; test runners, bytes of another realm. */
function rawText(body: unknown): string {
  if (typeof body === 'string') return body
  try {
    if (typeof body === 'object' && body !== null)
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body as Uint8Array)
  } catch {
    // an object, but no bytes
  }
  const message =
    '`body` must be the body of the request exactly as it came, text or bytes, not what was parsed of it: `await request.text()`, or in Express `express.raw({ type: "application/json" })` on this route.'
  throw new TillwrightError('options_invalid', message, { param: 'body' })
}

const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
const noMatch = 'No matching signature found'
const noMatchHelp =
  'The secret is that of another endpoint (`tillwright events listen` prints one of its own), or the body is not exactly as it came'

function headerValue(headers: WebhookHeaders, name: string): string {
  const { get } = Object(headers)
  if (typeof get === 'function') return get.call(headers, name) ?? ''
  const [, value = ''] =
    Object.entries<string | readonly string[] | undefined>(Object(headers)).find(
      ([key]) => key.toLowerCase() === name,
    ) ?? []
  return typeof value === 'string' ? value : value.join(', ')
}

function verifiers(secret: string | readonly string[]): Webhook[] {
  const secrets = [secret].flat()
  if (secrets.length > 0 && secrets.every((each) => /^whsec_[A-Za-z0-9+/]+=*$/.test(each))) {
    return secrets.map((each) => new Webhook(each))
  }
  const message = '`secret` must be the secret of the webhook endpoint, whsec_ and base64, or a list of these.'
  throw new TillwrightError('options_invalid', message, { param: 'secret' })
}

/** The library's reason for refusing a webhook; `null` if it verifies. */
function rejection(verify: () => unknown): string | null {
  try {
    verify()
    return null
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem)
  }
}

function invalid(reason: string): TillwrightError {
  return new TillwrightError('webhook_invalid', `The webhook is refused: ${reason}.`)
}

/**
 * The typed properties of a webhook's event, if it is of this type: `eventProperties(delivery,
 * 's_order_paid')?.orderId`.
 *
 * @returns `null` for an event of another type, and for one over 20 kB, which is delivered as its id only: read it with
 *   `client.events.get`.
 * @throws {TillwrightError} `webhook_invalid` if the properties do not match the contract.
 */
export function eventProperties<Type extends EventType>(
  delivery: WebhookPayload,
  type: Type,
): EventProperties<Type> | null {
  if (delivery.type !== type || !('properties' in delivery.data)) return null
  const read = eventTypes[type].safeParse(delivery.data.properties)
  if (!read.success) throw new TillwrightError('webhook_invalid', `The properties of this ${type} are malformed.`)
  // `safeParse` of the type's own schema returns its output; the compiler cannot follow the index through the table.
  return read.data as EventProperties<Type>
}
