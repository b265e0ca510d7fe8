import type { DevEvent, DevServer, readScenarios, Scenario } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import { pluginCommand } from '../author/plugin-command.ts'
import { wholeNumber } from '../option-values.ts'
import { withTarget } from '../target/find-target.ts'
import { CommandFailed, failWith } from '../terminal/fail-with.ts'
import { isInteractive } from '../terminal/interaction.ts'
import { keysHelp, listenToKeys } from './dev-keys.ts'
import type { DevCommandOptions } from './dev-options.ts'
import { showDevEvent } from './dev-output.ts'
import { findDevPlatform } from './find-dev-platform.ts'
import { openBrowser } from './open-browser.ts'

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
  const { readScenarios: read, startDev } = await import('@tillwright/plugin-dev')
  const source = findDevPlatform(folder, options)
  const show = options.json === true ? (event: DevEvent) => `${JSON.stringify(event)}\n` : eachOnce(showDevEvent)
  const print = (event: DevEvent) => void process.stdout.write(show(event))
  try {
    const scenario = options.scenario === undefined ? null : await findScenario(folder, options.scenario, read)
    const dev = await startDev({
      folder,
      findPlatform: source.find,
      port: options.port,
      onNetwork: options.host === true,
      environment: process.env,
      ...(scenario !== null && { scenario }),
      tell: print,
    })
    await runUntilQuit(dev, { options, apiUrl: async () => (await source.find()).apiUrl })
    await dev.stop()
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

/** @throws {CommandFailed} If there is no such scenario. */
async function findScenario(folder: string, name: string, read: typeof readScenarios): Promise<Scenario> {
  const { readPlugin } = await import('@tillwright/plugin-build')
  const { plugin } = await readPlugin(folder)
  const scenarios = (plugin === null ? null : await read(plugin))?.scenarios ?? []
  const found = scenarios.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = scenarios.map((each) => each.name).join(', ')
  throw new CommandFailed(`--scenario: there is no "${name}"; choose one of: ${names || 'none'}.`, 'usage')
}

interface RunningDevServer {
  options: DevCommandOptions
  apiUrl: () => Promise<string>
}

/** Runs until the user quits. */
async function runUntilQuit(dev: DevServer, { options, apiUrl }: RunningDevServer): Promise<void> {
  const ended = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.resolve())
  if (options.open === true) openBrowser(dev.url)
  const isWatched = options.json !== true && isInteractive()
  if (options.json !== true && options.host === true) await showQrCode(dev)
  if (isWatched) process.stdout.write(keysHelp(dev.scenarios()))
  const consoleUrl = `${await apiUrl()}/docs`
  const stopListening = isWatched
    ? listenToKeys(process.stdin, {
        dev,
        print: (text) => void process.stdout.write(text),
        consoleUrl: () => consoleUrl,
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
