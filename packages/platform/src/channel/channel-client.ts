import { lookup } from 'node:dns/promises'
import { Agent, request } from 'node:https'
import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type ChannelTls, secured } from './tls.ts'

/** How long a connection may take to stand. */
const CONNECT_MS = 2_000
/** How long a process is looked for that takes a call. */
const REACH_MS = 4_000
const AGAIN_MS = 200
/** A payment that tries one processor after the other does not wait for each. */
const IMPATIENT_MS = 2_000
/** How long a call may take: longer than a processor may. */
const ANSWER_MS = 35_000
/** Idle connections are dropped well before the other side would. */
const IDLE_MS = 20_000

/** No process could be reached, so nothing has been done. */
export class ChannelUnreachable extends Error {
  override readonly name = 'ChannelUnreachable'
}

/** A call was sent and its answer lost, or it failed there: what was done is not known. */
export class ChannelFailed extends Error {
  override readonly name = 'ChannelFailed'
}

/** Calls processes at the other end. */
export interface Channel {
  /**
   * Calls an operation that is harmless to repeat: when the process that took it dies, another one is asked.
   *
   * @throws {ChannelUnreachable} When none could be asked within 4 s.
   * @throws {ChannelFailed} When one was asked and no answer came.
   */
  call(operation: string, argument: unknown): Promise<unknown>
  close(): void
}

/** A process at the other end. `name` is what its certificate has to be for. */
interface Place {
  address: string
  port: number
  name: string
}

/** @param urls `https://host:port` of the other end; behind each name may be the addresses of several processes. */
export function openChannel(urls: readonly string[], tls: ChannelTls): Channel {
  const agent = new Agent({ ...secured(tls), keepAlive: true, timeout: IDLE_MS })
  let turn = 0
  /** Until when a call is tried only once, because the last one has looked for long. */
  let impatientUntilMs = 0

  async function inTurn(): Promise<Place[]> {
    const places = await placesOf(urls)
    turn += 1
    const first = turn % Math.max(1, places.length)
    return [...places.slice(first), ...places.slice(0, first)]
  }

  return {
    async call(operation, argument) {
      const body = JSON.stringify(argument)
      const nowMs = performance.now()
      const untilMs = nowMs < impatientUntilMs ? nowMs : nowMs + REACH_MS
      let why: unknown
      for (let lost = 0; ;) {
        for (const place of await inTurn()) {
          const sent = await send(place, { operation, body, agent })
          if ('answer' in sent) return resultOf(sent.answer)
          why = sent.error
          if (sent.isSent) lost += 1
          if (lost > 1) throw new ChannelFailed('The vault took a call and did not answer.', { cause: why })
        }
        if (performance.now() > untilMs) {
          if (lost > 0) throw new ChannelFailed('The vault took a call and did not answer.', { cause: why })
          impatientUntilMs = performance.now() + IMPATIENT_MS
          throw new ChannelUnreachable(
            `No process of the vault answers at ${urls.join(', ')}; look at TILLWRIGHT_VAULT_CHANNEL_URL and the certificates of the channel.`,
            { cause: why },
          )
        }
        await delay(AGAIN_MS)
      }
    },
    close: () => agent.destroy(),
  }
}

async function placesOf(urls: readonly string[]): Promise<Place[]> {
  const found = await Promise.all(
    urls.map(async (text) => {
      const { hostname, port } = new URL(text)
      const name = hostname.replace(/^\[|\]$/g, '')
      const known = isIP(name) === 0 ? await lookup(name, { all: true }).catch(() => []) : [{ address: name }]
      return known.map(({ address }) => ({ address, port: Number(port || 443), name }))
    }),
  )
  return found.flat()
}

interface Sending {
  operation: string
  body: string
  agent: Agent
}

type Sent = { answer: { status: number; text: string } } | { isSent: boolean; error: Error }

/** A connection that was idle may be dead without either side knowing: what is lost on it counts as sent. */
function send({ address, port, name }: Place, { operation, body, agent }: Sending): Promise<Sent> {
  return new Promise((resolve) => {
    let isSent = false
    const servername = isIP(name) === 0 ? name : ''
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
    const outgoing = request({ host: address, port, servername, path: `/${operation}`, method: 'POST', agent, headers })
    const tooLate = setTimeout(() => outgoing.destroy(new Error(`${address}:${port} does not answer.`)), CONNECT_MS)
    const failed = (error: Error) => {
      clearTimeout(tooLate)
      resolve({ isSent, error })
    }
    const begin = () => {
      isSent = true
      clearTimeout(tooLate)
      outgoing.setTimeout(ANSWER_MS, () => outgoing.destroy(new Error('The call took too long.')))
      outgoing.end(body)
    }
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) begin()
      else socket.once('secureConnect', begin)
    })
    outgoing.on('error', failed)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', failed)
      response.on('close', () => {
        if (!response.complete) return failed(new Error('The answer ended early.'))
        resolve({ answer: { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() } })
      })
    })
  })
}

function resultOf({ status, text }: { status: number; text: string }): unknown {
  if (status !== 200) throw new ChannelFailed('A call failed in the vault, whose log says why.')
  const { result }: { result: unknown } = JSON.parse(text)
  return result
}
