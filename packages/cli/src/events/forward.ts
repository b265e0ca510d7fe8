import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Environment, type Event, WEBHOOK_DATA_MAX_BYTES, type WebhookPayload } from '@tillwright/contract'
import { credentialsFile } from '../target/credentials.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { createFile } from '../whole-files.ts'

/** The address that events are forwarded to, and the secret that signs them. */
export interface Receiver {
  url: string
  /** `whsec_...`. */
  secret: string
  environment: Environment
}

/** A receiver's response: its status, `null` if it took longer than the platform waits. */
export interface Receipt {
  status: number | null
  ms: number
}

/** A receiver that could not be reached, with the reason. */
export interface Away {
  away: string
}

/** The same time-out as the platform has for an endpoint. */
const TIMEOUT_MS = 15_000

/**
 * Sends an event to a receiver once, exactly as the platform would: the same body and headers, without following
 * redirects.
 *
 * @throws The reason of `signal` if it is aborted.
 */
export async function forward(event: Event, receiver: Receiver, signal: AbortSignal): Promise<Receipt | Away> {
  const { url, secret, environment } = receiver
  const { body, headers } = signForwarded(event, { environment, secret, nowMs: Date.now() })
  const startMs = performance.now()
  const spentMs = () => Math.round(performance.now() - startMs)
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal: until })
    await response.body?.cancel()
    return { status: response.status, ms: spentMs() }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Error && error.name === 'TimeoutError') return { status: null, ms: spentMs() }
    return { away: reasonOf(error) }
  }
}

/** `fetch` has the actual reason in the error's cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error instanceof Error ? error.message : String(error)
}

/** Options for signing a forwarded event. */
export interface ForwardSigning {
  environment: Environment
  /** `whsec_...`. */
  secret: string
  /** The time of this attempt, Unix time in milliseconds. */
  nowMs: number
}

/**
 * Signs an event exactly as the platform would: the same body and headers, byte for byte, which a test verifies.
 * Implemented here because the platform need not be installed where events are forwarded. Source: Standard Webhooks
 * 1.0.0.
 */
export function signForwarded(
  event: Event,
  { environment, secret, nowMs }: ForwardSigning,
): { body: string; headers: Record<string, string> } {
  const body = payloadText(event, environment)
  const timestamp = String(Math.floor(nowMs / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64')
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Tillwright-Webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  }
}

function payloadText({ customer: _, store: __, ...event }: Event, environment: Environment): string {
  const { id, eventType: type, createdAt: timestamp, accountId, storeId } = event
  const payload: WebhookPayload = { id, type, timestamp, environment, accountId, storeId, data: event }
  const text = JSON.stringify(payload)
  return Buffer.byteLength(text) <= WEBHOOK_DATA_MAX_BYTES ? text : JSON.stringify({ ...payload, data: { id } })
}

const SEED_BYTES = 32

/** The file with the seed of this machine's forwarding secrets, next to the credentials. */
export function forwardingSeedFile(): string {
  return join(dirname(credentialsFile()), 'forwarding-seed')
}

/**
 * The secret that signs events forwarded by this machine for an account: `whsec_...`, the same at every start. It is
 * derived from a seed that is generated once, readable by its owner only, and different on every machine.
 *
 * @throws {CommandFailed} If the seed cannot be stored, or the file is invalid.
 */
export async function forwardingSecret(accountId: string): Promise<string> {
  const seed = await keptSeed(forwardingSeedFile())
  const secret = hkdfSync('sha256', seed, new Uint8Array(), `tillwright forwarding ${accountId}`, SEED_BYTES)
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

async function keptSeed(file: string): Promise<Buffer> {
  const kept = await readSeed(file)
  if (kept !== null) return kept
  const seed = randomBytes(SEED_BYTES)
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await createFile(file, seed.toString('base64'), 0o600)
    return seed
  } catch (error) {
    // Another command was first, or the folder is not writable.
    const theirs = await readSeed(file)
    if (theirs !== null) return theirs
    throw new CommandFailed(`${file} cannot be written (${codeOf(error)}); check its permissions.`)
  }
}

async function readSeed(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw new CommandFailed(`${file} cannot be read (${codeOf(error)}); check its permissions.`)
  })
  if (text === null) return null
  const seed = Buffer.from(text, 'base64')
  if (seed.length === SEED_BYTES) return seed
  throw new CommandFailed(`${file} is damaged; delete it, and give your receiver the new secret that is printed.`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
