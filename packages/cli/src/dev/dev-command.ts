import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PLUGIN_FILE } from '@tillwright/contract'
import type { DevEvent, DevServer, Scenario } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import { pluginCommand } from '../author/plugin-command.ts'
import { wholeNumber } from '../option-values.ts'
import { withTarget } from '../target/find-target.ts'
import { failWith } from '../terminal/fail-with.ts'
import { isInteractive } from '../terminal/interaction.ts'
import { consoleAddresses } from './console-address.ts'
import type { DevCommandOptions } from './dev-options.ts'
import { devLine, showDevEvent } from './dev-output.ts'
import { findDevPlatform } from './find-dev-platform.ts'
import { openBrowser } from './open-browser.ts'
import { harmlessJson, print } from '../terminal/print.ts'

const help = `
Without --target, it uses the local platform: a running one, or one that it starts and keeps in the plugin's folder, in
.tillwright. With --target development, the login's key stays in this process, and pages reach the platform through it.
With --json, every event is one line of JSON.`

/** `tillwright dev`. */
export const devCommand = withTarget(pluginCommand('dev'))
  .option('--port <number>', 'the first port to try', wholeNumber, 5_180)
  .option('--host', 'make it available on the network, over HTTPS, with a QR code for a phone')
  .option('--open', 'open the page in the browser')
  .option('--scenario <name>', 'start with this scenario from scenarios.json')
  .option('--variant <id>', 'the product variant that orders begin with; by default a demo product is made for them')
  .option(
    '--publishable-key <key>',
    "of a development platform: the key for its card form, with the origin 'http://localhost:*'",
  )
  .addHelpText('after', help)
  .action((folder: string, options: DevCommandOptions) => runDev(folder, options).catch(failWith))

async function runDev(folder: string, options: DevCommandOptions): Promise<void> {
  const { startDev } = await import('@tillwright/plugin-dev')
  const source = findDevPlatform(folder, options)
  const show = options.json === true ? (event: DevEvent) => `${harmlessJson(event)}\n` : eachOnce(showDevEvent)
  const tell = (event: DevEvent) => print(show(event))
  try {
    const scenario = await firstScenario(folder, options.scenario)
    const dev = await startDev({
      folder,
      findPlatform: source.find,
      port: options.port,
      onNetwork: options.host === true,
      environment: process.env,
      ...(scenario !== null && { scenario }),
      tell,
    })
    try {
      await runUntilQuit(dev, { options, consoleUrl: consoleAddresses(folder, source) })
    } finally {
      await dev.stop()
    }
  } finally {
    await source.stop()
  }
}

/** Shows consecutive duplicates once, such as the same error from several pages. */
function eachOnce(show: (event: DevEvent) => string): (event: DevEvent) => string {
  let last = ''
  return (event) => {
    const text = show(event)
    if (text === last && event.type === 'problems') return ''
    if (text !== '') last = text
    return text
  }
}

/**
 * The scenario to begin with; `null` if none was named. A plugin with errors is served all the same, and shows them.
 *
 * @throws {CommandFailed} `invalid`, without a manifest, since the folder is then another one than was meant, and if the plugin
 *   that has the scenario has errors; `usage` for an unknown name.
 */
async function firstScenario(folder: string, name?: string): Promise<Scenario | null> {
  if (name === undefined && existsSync(join(folder, PLUGIN_FILE))) return null
  const { chooseScenarios, readPluginWith } = await import('../author/plugin-scenarios.ts')
  const { scenarios } = await readPluginWith(folder)
  return chooseScenarios(scenarios, name === undefined ? [] : [name])[0] ?? null
}

interface RunningDevServer {
  options: DevCommandOptions
  consoleUrl: () => Promise<string>
}

/** Runs until the user quits. */
async function runUntilQuit(dev: DevServer, { options, consoleUrl }: RunningDevServer): Promise<void> {
  const ended = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.resolve())
  if (options.open === true) openBrowser(dev.url)
  const isWatched = options.json !== true && isInteractive()
  if (options.json !== true && options.host === true) await showQrCode(dev)
  if (isWatched) print(keysHelp(dev.scenarios()))
  const stopListening = isWatched
    ? listenToKeys(process.stdin, {
        dev,
        print,
        consoleUrl,
        open: openBrowser,
        quit: () => ended.resolve(),
      })
    : () => {}
  await ended.promise
  stopListening()
}

/** For a phone on the same network. */
async function showQrCode({ networkUrls: [url] }: DevServer): Promise<void> {
  if (url === undefined) return
  const { renderUnicodeCompact } = await import('uqr')
  // Light on dark whatever the terminal's colours: phones cannot read inverted codes.
  const lines = renderUnicodeCompact(`${url}/`, { border: 2 }).split('\n')
  const whole = lines.slice(0, -1).map((line) => pc.bgBlack(pc.whiteBright(line)))
  process.stdout.write(`\n${[...whole, pc.whiteBright(lines.at(-1))].join('\n')}\n`) // the last one is half a line
}

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
  /** The address that `c` opens, and that it prints for terminals without a browser. */
  consoleUrl: () => Promise<string>
  open: (url: string) => void
  quit: () => void
}

/**
 * Listens for keys in an interactive terminal.
 *
 * @param input The standard input; it is switched to raw mode.
 * @returns Stops listening.
 */
function listenToKeys(input: NodeJS.ReadStream, targets: KeyTargets): () => void {
  const onData = (key: string) => void act(actionOf(key), targets)
  input.setRawMode(true)
  input.setEncoding('utf8').on('data', onData).resume()
  return () => {
    input.off('data', onData).pause()
    input.setRawMode(false)
  }
}

/** Performs a key's action. A failure is reported and does not end the server. */
export async function act(action: DevAction | null, targets: KeyTargets): Promise<void> {
  const { dev, quit } = targets
  try {
    if (action === 'restart') await dev.restart()
    else if (action === 'next') await dev.next()
    else if (action === 'console') await openConsole(targets)
    else if (action === 'quit') quit()
    else if (action !== null) await restartAs(dev, action.scenario)
  } catch (error) {
    targets.print(devLine('note', 'warning', [String(Object(error).message ?? error)]))
  }
}

async function openConsole({ consoleUrl, open, print: tell }: KeyTargets): Promise<void> {
  const url = await consoleUrl()
  tell(devLine('console', 'plain', [url]))
  open(url)
}

async function restartAs(dev: DevServer, index: number): Promise<void> {
  const scenario = dev.scenarios()[index]
  if (scenario !== undefined) await dev.restart(scenario)
}
