import { randomUUID } from 'node:crypto'
import { bankSimulator } from '@tillwright/bank-simulator'
import type { Simulator } from '../../src/simulator.ts'
import type { Dice } from '../machine/dice.ts'
import { currentHost } from '../machine/host.ts'
import { strikes, type World } from './world.ts'

/** The directory servers of 3-D Secure, which stand between the platform and the banks of the buyers. */
export interface Directory {
  /** The banks, as a process reaches them. */
  simulator: Simulator
  /**
   * The last word on an authentication that has reached the platform: its `transStatus`, by `threeDSServerTransID`. What
   * came later than anybody waits for is none.
   */
  readonly heard: ReadonlyMap<string, string>
}

/** How long a platform waits for a directory server; processes' clocks are not all as fast. Source: `PROVIDER_TIMEOUT_MS`. */
const WAITS_MS = 30_010
/** How long a directory server waits for the platform. */
const PATIENCE_MS = 10_000

/** What a message says of an authentication. */
interface Word {
  threeDSServerTransID?: string
  transStatus?: string
}

export function openDirectory(world: World): Directory {
  const { dice, scheduler } = world
  const heard = new Map<string, string>()
  const hear = hearing(heard)

  /** A request of the platform, and its answer. */
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
        back(
          () => {
            if (said === ares && scheduler.nowMs - askedMs < WAITS_MS) hear(ares, true)
            resolve(said)
          },
          dice.between(20, 600) + slowMs,
        )
      }
      back(() => void arrive().catch(reject), dice.between(20, 600))
    })
  }

  /** A result that a directory server brings, and the platform's answer to it. */
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

/** No JSON, an answer to somebody else, or a yes without its proof. */
function nonsense(ares: string, dice: Dice): string {
  const { authenticationValue: _, ...answered }: Word & { authenticationValue?: string } = JSON.parse(ares)
  return dice.pick([
    '<html>',
    JSON.stringify({ ...answered, threeDSServerTransID: randomUUID(), transStatus: 'Y' }),
    JSON.stringify({ ...answered, transStatus: 'Y' }),
  ])
}

/** Notes the words that reach the platform. The answer to a request says only what is to be done where a challenge follows. */
function hearing(heard: Map<string, string>): (text: string, isAnswer: boolean) => void {
  return (text, isAnswer) => {
    const { threeDSServerTransID: id, transStatus }: Word = JSON.parse(text)
    if (id !== undefined && transStatus !== undefined && !(isAnswer && heard.has(id))) heard.set(id, transStatus)
  }
}
