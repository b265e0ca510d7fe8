import type { Answer, PlatformProcess, SentRequest } from './platforms.ts'
import { strikes, type World } from './world.ts'

/** A request of one of the world's people or servers. */
export interface Call {
  /** The sender: its lane in the timeline. */
  who: string
  origin?: 'api' | 'vault'
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
  /** Absent for a browser on a page of the platform or of a bank. */
  apiKey?: string
  body?: object
  /** Form fields posted by a browser's page, instead of a body. */
  form?: Readonly<Record<string, string>>
  /** The bytes of a file as text, instead of a body. */
  file?: string
  idempotencyKey?: string
  headers?: Readonly<Record<string, string>>
}

/** An answer to a request with an idempotency key; they are kept in order of arrival. */
export interface Answered {
  call: Call
  status: number
  text: string
}

/** The way of people and servers to the platform: through a balancer, over unreliable connections. */
export interface Network {
  /** Sends a request once; `null` if there is no answer. */
  send(call: Call): Promise<Answer | null>
  /** The answers to requests with a key. */
  readonly answered: readonly Answered[]
  /** Waits. */
  pause(ms: number): Promise<void>
}

/** How long a client waits for an answer. */
const PATIENCE_MS = 30_000

/** @param processes The processes that exist at the time. */
export function openNetwork(world: World, processes: () => readonly PlatformProcess[]): Network {
  const { scheduler, dice } = world
  const answered: Answered[] = []
  const pause = (ms: number) => new Promise<void>((resolve) => void scheduler.after(ms, 'somebody has waited', resolve))

  function send(call: Call): Promise<Answer | null> {
    const { who, method, path, idempotencyKey } = call
    world.tell(who, `${method} ${path}${idempotencyKey === undefined ? '' : ` key ${idempotencyKey}`}`)
    return new Promise((resolve) => {
      let isOver = false
      const end = (answer: Answer | null) => {
        if (isOver) return
        isOver = true
        world.tell(who, `${method} ${path} -> ${answer === null ? 'no answer' : summaryOf(answer)}`)
        world.count(answer === null ? 'calls without an answer' : 'calls')
        resolve(answer)
      }
      scheduler.after(PATIENCE_MS, `${who} gives up`, () => end(null))
      const isLost = strikes(world, 'call.request lost')
      if (!isLost) forward(call, end)
      if (strikes(world, 'call.twice')) forward(call, end)
    })
  }

  function forward(call: Call, end: (answer: Answer | null) => void): void {
    const slowMs = strikes(world, 'call.slow') ? dice.between(500, 20_000) : 0
    scheduler.after(dice.between(1, 60) + slowMs, `${call.who} reaches the balancer`, () => {
      const serving = processes().filter(({ isServing }) => isServing)
      // Without a process that serves, the balancer answers.
      if (serving.length === 0) return end({ status: 502, headers: new Headers(), text: '' })
      const process = dice.pick(serving)
      const sent = sentBy(call)
      if (sent.body !== '' && strikes(world, 'call.cut off')) return cutOff({ call, sent, process }, end)
      process.serve(call.origin ?? 'api', sent, (answer) => {
        if (strikes(world, 'call.answer lost')) return
        scheduler.after(dice.between(1, 60), `${call.who} hears an answer`, () => {
          // Includes the second answer to a request that arrived twice.
          if (call.idempotencyKey !== undefined) answered.push({ call, status: answer.status, text: answer.text })
          end(answer)
        })
      })
    })
  }

  /** Sends part of a body, and then breaks the connection. */
  function cutOff({ call, sent, process }: Reaching, end: (answer: null) => void): void {
    const breaksAfterMs = dice.between(0, 2_000)
    const arrived = dice.below(Buffer.byteLength(sent.body))
    process.serve(call.origin ?? 'api', { ...sent, cut: { arrived, breaksAfterMs } }, () => {})
    scheduler.after(breaksAfterMs, `${call.who} hears nothing any more`, () => end(null))
  }
  return { send, answered, pause }
}

/** A request on its way to a process. */
interface Reaching {
  call: Call
  sent: SentRequest
  process: PlatformProcess
}

function sentBy({ who, method, path, apiKey, body, form, file, idempotencyKey, headers }: Call): SentRequest {
  return {
    method,
    path,
    headers: {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      'x-forwarded-for': addressOf(who),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
    body: file ?? textOf({ body, form }),
  }
}

function textOf({ body, form }: { body: object | undefined; form: Call['form'] | undefined }): string {
  if (form !== undefined) return String(new URLSearchParams(form))
  return body === undefined ? '' : JSON.stringify(body)
}

/** The IP address of a sender. */
function addressOf(who: string): string {
  const number = [...who].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 60_000, 7)
  return `198.51.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`
}

function summaryOf({ status, text }: Answer): string {
  const code = /"code":"([^"]+)"/.exec(text)?.[1]
  const state = /"status":"([^"]+)"/.exec(text)?.[1]
  return [status, code, status < 400 ? state : undefined].filter((word) => word !== undefined).join(' ')
}
