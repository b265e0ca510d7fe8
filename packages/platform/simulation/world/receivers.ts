import type { Deliver } from '../../src/events/index.ts'
import { currentHost } from '../machine/host.ts'
import { strikes, type World } from './world.ts'

/** A webhook as it has arrived. */
export interface Received {
  url: string
  id: string
  body: string
  signature: string
  atS: number
  /** Whether its receiver has acknowledged it. */
  isTaken: boolean
}

/** All servers of merchants that webhooks are sent to. */
export interface Receivers {
  deliver: Deliver
  readonly received: readonly Received[]
}

/** How long an attempt may take, as the platform's own way out has it. */
const TIMEOUT_MS = 15_000

export function openReceivers(world: World): Receivers {
  const received: Received[] = []
  const { dice, scheduler } = world
  const deliver: Deliver = (url, { headers, body }, signal) => {
    const at = currentHost()
    if (at === null) throw new Error('Webhooks are sent by a process.')
    return new Promise((resolve) => {
      const back = (delayMs: number, answer: Awaited<ReturnType<Deliver>>) =>
        void at.after(delayMs, 'hears from a receiver', () => resolve(answer))
      signal.addEventListener('abort', () => resolve({ failure: 'There was no answer in time.' }), { once: true })
      back(TIMEOUT_MS, { failure: 'There was no answer in time.' })
      const isDown = strikes(world, 'receiver.down')
      const slowMs = strikes(world, 'receiver.slow') ? dice.between(1_000, 20_000) : 0
      scheduler.after(dice.between(5, 200), `${at.name} reaches a receiver`, () => {
        const id = headers['webhook-id'] ?? ''
        const signature = headers['webhook-signature'] ?? ''
        received.push({ url, id, body, signature, atS: Number(headers['webhook-timestamp']), isTaken: !isDown })
        world.tell('receivers', `${id} ${typeOf(body)}${isDown ? ', refused' : ''}`)
        if (strikes(world, 'receiver.answer lost')) return
        back(dice.between(5, 200) + slowMs, { status: isDown ? 503 : 200, retryAfter: null, excerpt: '' })
      })
    })
  }
  return { deliver, received }
}

function typeOf(body: string): string {
  return /"type":"([^"]+)"/.exec(body)?.[1] ?? ''
}
