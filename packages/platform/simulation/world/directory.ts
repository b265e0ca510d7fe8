import { randomUUID } from 'node:crypto'
import { bankSimulator } from '@tillwright/bank-simulator'
import type { Simulator } from '../../src/simulator.ts'
import type { Dice } from '../machine/dice.ts'
import { currentHost } from '../machine/host.ts'
import { strikes, type World } from './world.ts'

/** The directory servers of 3-D Secure, between the platform and the buyers' banks. */
export interface Directory {
  /** The banks, as a process reaches them. */
  simulator: Simulator
  /** The last `transStatus` of an authentication that reached the platform in time, by `threeDSServerTransID`. */
  readonly heard: ReadonlyMap<string, string>
}

/** How long a platform waits for a directory server, with a margin for fast clocks. Source: `PROVIDER_TIMEOUT_MS`. */
const WAITS_MS = 30_010
/** How long a directory server waits for the platform. */
const PATIENCE_MS = 10_000

/** The fields of a message that are looked at. */
interface Word {
  threeDSServerTransID?: string
  transStatus?: string
}

export function openDirectory(world: World): Directory {
  const { dice, scheduler } = world
  const heard = new Map<string, string>()
  const hear = hearing(heard)

  /** Answers a request of the platform. */
  function ask(answer: () => Promise<string>): Promise<string> {
    const at = currentHost()
    if (at === null) throw new Error('A directory server is asked by a process.')
    const askedMs = scheduler.nowMs
    return new Promise((resolve, reject) => {
      const back = (tell: () => void, delayMs: number) => void at.after(delayMs, 'hears from a directory server', tell)
      const breaks = () => back(() => reject(broken()), dice.between(1, 3_000))
      if (strikes(world, 'directory.swallowed')) return
      if (strikes(world, 'directory.request lost')) return breaks()
      const slowMs = strikes(world, 'directory.slow') ? dice.between(2_000, 40_000) : 0
      const arrive = async () => {
        if (strikes(world, 'directory.down')) return back(() => resolve('Internal Server Error'), dice.between(5, 200))
        const ares = await answer()
        if (strikes(world, 'directory.silent')) return
        if (strikes(world, 'directory.answer lost')) return breaks()
        const said = strikes(world, 'directory.nonsense') ? nonsense(ares, dice) : ares
        const delayMs = dice.between(20, 600) + slowMs
        // By when it is due: in a process that stands still, the answer and the end of the wait keep their order.
        const isInTime = scheduler.nowMs + delayMs - askedMs < WAITS_MS
        back(() => {
          if (said === ares && isInTime) hear(ares, true)
          resolve(said)
        }, delayMs)
      }
      back(() => void arrive().catch(reject), dice.between(20, 600))
    })
  }

  /** Sends a result (RReq) to the platform, and reads the answer. */
  function bring(rreq: string, receive: () => Promise<string>): Promise<string> {
    const at = currentHost()
    if (at === null) throw new Error('A result is brought to a process.')
    return new Promise((resolve, reject) => {
      const later = (delayMs: number, tell: () => void) => void at.after(delayMs, 'hears of a result', tell)
      later(PATIENCE_MS, () => reject(broken()))
      if (strikes(world, 'directory.swallowed')) return
      if (strikes(world, 'directory.request lost')) return later(dice.between(1, 3_000), () => reject(broken()))
      const arrive = async () => {
        hear(rreq, false)
        const answer = await receive()
        if (strikes(world, 'directory.answer lost')) return later(dice.between(1, 3_000), () => reject(broken()))
        later(dice.between(20, 600), () => resolve(answer))
      }
      later(dice.between(20, 600), () => void arrive().catch(reject))
    })
  }

  const simulator: Simulator = {
    ...bankSimulator,
    openBank(dependencies) {
      const { server } = dependencies
      const receiveResult = (rreq: string) => bring(rreq, () => server.receiveResult(rreq))
      const bank = bankSimulator.openBank({ ...dependencies, server: { ...server, receiveResult } })
      return { ...bank, answerAreq: (sent) => ask(() => bank.answerAreq(sent)) }
    },
  }
  return { simulator, heard }
}

const broken = () => new Error('The connection to the directory server broke.')

/** A malformed answer: no JSON, one to another request, or an approval without its authentication value. */
function nonsense(ares: string, dice: Dice): string {
  const { authenticationValue: _, ...answered }: Word & { authenticationValue?: string } = JSON.parse(ares)
  return dice.pick([
    '<html>',
    JSON.stringify({ ...answered, threeDSServerTransID: randomUUID(), transStatus: 'Y' }),
    JSON.stringify({ ...answered, transStatus: 'Y' }),
  ])
}

/** Notes each `transStatus` that reaches the platform. An answer never replaces a result that overtook it. */
function hearing(heard: Map<string, string>): (text: string, isAnswer: boolean) => void {
  return (text, isAnswer) => {
    const { threeDSServerTransID: id, transStatus }: Word = JSON.parse(text)
    if (id !== undefined && transStatus !== undefined && !(isAnswer && heard.has(id))) heard.set(id, transStatus)
  }
}
