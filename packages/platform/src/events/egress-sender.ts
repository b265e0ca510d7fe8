import { parentPort, workerData } from 'node:worker_threads'
import { type Answer, egress, type EgressOptions, type Message } from './egress.ts'

/** To the thread: what was handed over in one turn. */
export interface ToSend {
  id: number
  url: string
  message: Message
}

/** From the thread: the answers of one turn, by the numbers of what was sent. */
export type Answered = readonly (readonly [id: number, answer: Answer])[]

// The body of a thread, started by `egress-thread.ts`.
if (parentPort === null) throw new Error('Webhooks are sent by a thread of their own.')
const port = parentPort

/** A receiver's time counts by the machine. */
const clock: EgressOptions['clock'] = {
  now: () => performance.now(),
  until: (timeMs, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, timeMs - performance.now())
      const end = () => {
        clearTimeout(timer)
        resolve()
      }
      signal.addEventListener('abort', end)
    }),
}

const never = new AbortController().signal
const deliver = egress({ clock, environment: workerData })
let answered: [number, Answer][] = []

port.on('message', (gathered: readonly ToSend[]) => {
  for (const { id, url, message } of gathered) {
    void deliver(url, message, never).then(
      (answer) => add(id, answer),
      (error: unknown) => add(id, { failure: String(error) }), // of one message; the others have theirs
    )
  }
})

function add(id: number, answer: Answer): void {
  if (answered.length === 0) setImmediate(post)
  answered.push([id, answer])
}

function post(): void {
  port.postMessage(answered satisfies Answered)
  answered = []
}
