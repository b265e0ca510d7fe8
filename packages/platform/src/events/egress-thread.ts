import type { Worker } from 'node:worker_threads'
import type { Environment } from '@tillwright/contract'
import type { Services } from '../request-context.ts'
import { startThread } from '../runtime/index.ts'
import type { Answer, Deliver } from './egress.ts'
import type { Answered, ToSend } from './egress-sender.ts'

/** The way out for webhooks, from a thread of its own: a fifth of a payment's work is to send what tells of it. */
export interface EgressThread {
  deliver: Deliver
  /** Ends the thread. Requests still under way then have no answer. */
  close(): Promise<void>
}

/** How long a thread without anything to send is kept. The next delivery starts another one, in 20 ms. */
const IDLE_MS = 60_000

const GIVEN_UP: Answer = { failure: 'There was no answer in time.' }
const ENDED: Answer = { failure: 'The thread that sends webhooks has ended.' }

/** Sends as `egress` does. Requests of one turn of the event loop go to the thread as one message; so do answers. */
export function egressThread(environment: Environment, log: Services['log']): EgressThread {
  const waiting = new Map<number, (answer: Answer) => void>()
  let handedOver = 0
  let gathered: ToSend[] = []
  let thread: Worker | null = null
  const idle = setTimeout(endIfIdle, IDLE_MS).unref()

  function settle(id: number, answer: Answer): void {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  }

  function running(): Worker {
    if (thread !== null) return thread
    const started = startSender(environment)
    started.on('message', (answered: Answered) => {
      for (const [id, answer] of answered) settle(id, answer)
    })
    started.on('error', (error) =>
      log.error({ err: error }, 'the thread that sends webhooks has ended; another follows'),
    )
    started.on('exit', () => {
      if (thread !== started) return
      thread = null
      for (const id of waiting.keys()) settle(id, ENDED)
    })
    thread = started
    return started
  }

  function post(): void {
    idle.refresh()
    running().postMessage(gathered)
    gathered = []
  }

  function endIfIdle(): void {
    if (waiting.size > 0) return void idle.refresh()
    void thread?.terminate()
    thread = null // what comes now has a thread of its own
  }

  return {
    async deliver(url, message, signal) {
      if (signal.aborted) return GIVEN_UP
      const id = ++handedOver
      if (gathered.length === 0) setImmediate(post)
      gathered.push({ id, url, message })
      const giveUp = () => settle(id, GIVEN_UP)
      signal.addEventListener('abort', giveUp)
      const answer = await new Promise<Answer>((resolve) => waiting.set(id, resolve))
      signal.removeEventListener('abort', giveUp)
      return answer
    },
    async close() {
      clearTimeout(idle)
      await thread?.terminate()
    },
  }
}

function startSender(environment: Environment): Worker {
  const worker = startThread(new URL('./egress-sender', import.meta.url), {
    environment: 'dropped',
    workerData: environment,
  })
  worker.unref()
  return worker
}
