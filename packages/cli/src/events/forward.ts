import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Environment, type Event, WEBHOOK_DATA_MAX_BYTES, type WebhookPayload } from '@tillwright/contract'
import { credentialsFile } from '../target/credentials.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

/** Where events are forwarded to, and how they are signed. */
export interface Receiver {
  url: string
  /** `whsec_...`. */
  secret: string
  environment: Environment
}

/** What a receiver said: its status, `null` where it took longer than the platform waits. */
export interface Receipt {
  status: number | null
  ms: number
}

/** A receiver that is not there, and why. */
export interface Away {
  away: string
}

/** As long as the platform waits for an endpoint. */
const TIMEOUT_MS = 15_000

/**
 * Sends an event to a receiver once, exactly as the platform would: the same body, the same headers, redirects not
 * followed.
 *
 * @throws The reason of `signal` when that is aborted.
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

/** `fetch` tells what happened in the error's cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error instanceof Error ? error.message : String(error)
}

/** How what is forwarded is signed. */
export interface ForwardSigning {
  environment: Environment
  /** `whsec_...`. */
  secret: string
  /** The time of this try, Unix time in milliseconds. */
  nowMs: number
}

/**
 * An event as the platform would send it: the same body and headers, byte for byte, which a test holds it to. It is made
 * here because the platform need not be installed where events are forwarded. Source: Standard Webhooks 1.0.0.
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

/** The file from which this machine's secrets for forwarding are made, beside the credentials. */
export function forwardingSeedFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(dirname(credentialsFile(env)), 'forwarding-seed')
}

/**
 * The secret that signs what this machine forwards for an account: `whsec_...`, the same at every start. It is made of a
 * seed that is drawn once and kept for its owner alone; another machine has another one.
 *
 * @throws {CommandFailed} When the seed cannot be kept, or is not ours.
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
    await writeFile(file, seed.toString('base64'), { mode: 0o600, flag: 'wx' })
    return seed
  } catch (error) {
    // Another command was first, or nobody may write here.
    const theirs = await readSeed(file)
    if (theirs !== null) return theirs
    throw new CommandFailed(`${file} cannot be written (${codeOf(error)}); see who may write there.`)
  }
}

async function readSeed(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw new CommandFailed(`${file} cannot be read (${codeOf(error)}); see who may read it.`)
  })
  if (text === null) return null
  const seed = Buffer.from(text, 'base64')
  if (seed.length === SEED_BYTES) return seed
  throw new CommandFailed(`${file} is damaged; delete it, and give your receiver the secret that is printed then.`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
