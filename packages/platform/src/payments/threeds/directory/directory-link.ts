import { request, type Agent } from 'node:https'
import type { Parts } from '../../../call.ts'
import { certifiedAgent } from './certified-agent.ts'
import type { DirectorySettings } from './directory-settings.ts'

/** How long a directory may take: under what a session waits for its provider. Source: EMV 3DS 2.2.0, 5.5, with room. */
const DIRECTORY_TIMEOUT_MS = 15_000

/** How a message goes out: to whom, and how many bytes of an answer are read before it is given up. */
export interface Outgoing {
  url: string
  text: string
  answerMaxBytes: number
}

/** The way to directory servers. Rejects when there is no whole answer; whatever the answer's status, its text counts. */
export type DirectoryLink = (outgoing: Outgoing) => Promise<string>

/**
 * The way to the directory servers of a provider: HTTPS alone, with the operator's certificate where there is one. An
 * operator names the hosts, which may be inside the operator's network, so they are not held against the rules for what
 * accounts name. Redirects are not followed.
 */
export function directoryLink(settings: DirectorySettings, parts: Pick<Parts, 'clock' | 'log'>): DirectoryLink {
  const { clock } = parts
  const agentOf = certifiedAgent(settings, parts)
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
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
    const sent = request(url, { method: 'POST', headers, agent, signal })
    sent.on('error', reject)
    sent.on('response', (response) => readAnswer(response, answerMaxBytes).then(resolve, reject))
    sent.end(text)
  })
}

/** Leaving the loop early closes the connection. */
async function readAnswer(response: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`A directory server has answered with more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
