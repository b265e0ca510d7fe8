import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Services } from '../../request-context.ts'
import type { DirectorySettings } from './settings.ts'

/** How long a directory may take: under what a session waits for its provider. Source: EMV 3DS 2.2.0, 5.5, with room. */
const DIRECTORY_TIMEOUT_MS = 15_000

/** How a message goes out: to whom, and how many bytes of an answer are read before it is given up. */
export interface Outgoing {
  url: string
  text: string
  answerMaxBytes: number
}

/**
 * The way to directory servers. Rejects when there is no whole answer; whatever the answer's status, its bytes count. They
 * are in shared memory, so that a thread can read them without a copy.
 */
export type DirectoryLink = (outgoing: Outgoing) => Promise<Buffer>

/**
 * The way to the directory servers of a provider: HTTPS alone, with the operator's certificate where there is one. An
 * operator names the hosts, which may be inside the operator's network, so they are not held against the rules for what
 * accounts name. Redirects are not followed.
 */
export function directoryLink(settings: DirectorySettings, services: Pick<Services, 'clock' | 'log'>): DirectoryLink {
  const { clock } = services
  const agentOf = certifiedAgent(settings, services)
  return async (outgoing) => {
    const agent = await agentOf()
    const limit = new AbortController()
    const ended = new AbortController()
    void clock.until(clock.now() + DIRECTORY_TIMEOUT_MS, ended.signal).then(() => limit.abort())
    try {
      return await post(outgoing, { agent, signal: limit.signal })
    } finally {
      ended.abort()
    }
  }
}

function post(
  { url, text, answerMaxBytes }: Outgoing,
  { agent, signal }: { agent: Agent; signal: AbortSignal },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
    const sent = request(url, { method: 'POST', headers, agent, signal })
    sent.on('error', reject)
    sent.on('response', (response) => readAnswer(response, answerMaxBytes).then(resolve, reject))
    sent.end(text)
  })
}

/**
 * Each piece is laid down as it comes, since putting sixty megabytes together at the end would hold up everybody else.
 * Leaving the loop early closes the connection.
 */
async function readAnswer(response: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const memory = new SharedArrayBuffer(0, { maxByteLength: maxBytes })
  let bytes = 0
  for await (const piece of response) {
    if (bytes + piece.length > maxBytes) {
      throw new Error(`A directory server has answered with more than ${maxBytes} bytes.`)
    }
    memory.grow(bytes + piece.length)
    new Uint8Array(memory, bytes, piece.length).set(piece)
    bytes += piece.length
  }
  return Buffer.from(memory, 0, bytes)
}

/** How often the files are read again: a certificate that was replaced is used within this time. */
const READ_EVERY_MS = 60_000

interface Opened {
  agent: Agent
  /** SHA-256 over what the files held. */
  fingerprint: string
  readAtMs: number
}

/**
 * The connections to a provider's directory servers, with what its files hold at the moment. Files that cannot be read,
 * or do not fit together because one of them is just being replaced, leave those of before in use.
 *
 * @returns Answers the agent; rejects when the files were never good.
 */
function certifiedAgent(
  settings: DirectorySettings,
  { clock, log }: Pick<Services, 'clock' | 'log'>,
): () => Promise<Agent> {
  let opened: Opened | null = null
  let looking: Promise<Opened> | null = null

  async function look(): Promise<Opened> {
    const readAtMs = clock.now()
    try {
      const certificates = await readCertificates(settings)
      const fingerprint = hash('sha256', Buffer.concat(Object.values(certificates)))
      if (opened?.fingerprint === fingerprint) return { ...opened, readAtMs }
      createSecureContext(certificates)
      if (opened !== null) retire(opened.agent)
      return { agent: new Agent({ keepAlive: true, minVersion: 'TLSv1.2', ...certificates }), fingerprint, readAtMs }
    } catch (error) {
      if (opened === null) throw error
      log.warn({ err: error }, 'the certificates of a 3-D Secure provider cannot be used; those of before stay in use')
      return { ...opened, readAtMs }
    }
  }

  return async () => {
    if (opened !== null && clock.now() - opened.readAtMs < READ_EVERY_MS) return opened.agent
    looking ??= look().finally(() => (looking = null))
    opened = await looking
    return opened.agent
  }
}

/** Contents of the files named in a provider's settings. */
export async function readCertificates({ clientCertificate, clientKey, authorities }: DirectorySettings) {
  const read = async (path: string | null) => (path === null ? undefined : readFile(path))
  const [cert, key, ca] = await Promise.all([read(clientCertificate), read(clientKey), read(authorities)])
  return { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) }
}

/** Requests that are under way end as they would have; nothing is kept open for others. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0
  for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy()
}
