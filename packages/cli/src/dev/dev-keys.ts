import type { DevServer } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import { devLine } from './dev-output.ts'

/** The action of a key. */
export type DevAction = 'restart' | 'next' | 'console' | 'quit' | { scenario: number }

/** The action of a pressed key; `null` if it has none. */
export function actionOf(key: string): DevAction | null {
  if (key === 'r') return 'restart'
  if (key === 'n') return 'next'
  if (key === 'c') return 'console'
  if (key === 'q' || key === '\u0003') return 'quit'
  return /^[1-9]$/.test(key) ? { scenario: Number(key) - 1 } : null
}

/** Help for the keys, with the names of the scenarios. */
export function keysHelp(scenarios: readonly { name: string }[]): string {
  const word = (key: string, what: string) => `${pc.bold(key)} ${pc.dim(what)}`
  const keys = [word('r', 'restart session'), word('n', 'next step'), word('c', 'console'), word('q', 'quit')]
  const named = scenarios.slice(0, 9).map(({ name }, index) => `${word(String(index + 1), name)}\n`)
  return `\n${keys.join(pc.dim(' · '))}\n${named.join('')}\n`
}

/** The objects that keys act on. */
export interface KeyTargets {
  dev: DevServer
  print: (text: string) => void
  /** The address that `c` opens. */
  consoleUrl: () => string
  quit: () => void
}

/**
 * Listens for keys in an interactive terminal.
 *
 * @param input The standard input; it is switched to raw mode.
 * @returns Stops listening.
 */
export function listenToKeys(input: NodeJS.ReadStream, targets: KeyTargets): () => void {
  const onData = (key: string) => void act(actionOf(key), targets)
  input.setRawMode(true)
  input.setEncoding('utf8').on('data', onData).resume()
  return () => {
    input.off('data', onData).pause()
    input.setRawMode(false)
  }
}

/** Performs a key's action. A failure is reported and does not end the server. */
export async function act(action: DevAction | null, { dev, print, consoleUrl, quit }: KeyTargets): Promise<void> {
  try {
    if (action === 'restart') await dev.restart()
    else if (action === 'next') await dev.next()
    else if (action === 'console') print(devLine('console', 'plain', [consoleUrl()]))
    else if (action === 'quit') quit()
    else if (action !== null) await restartAs(dev, action.scenario)
  } catch (error) {
    print(devLine('note', 'warning', [String(Object(error).message ?? error)]))
  }
}

async function restartAs(dev: DevServer, index: number): Promise<void> {
  const scenario = dev.scenarios()[index]
  if (scenario !== undefined) await dev.restart(scenario)
}
