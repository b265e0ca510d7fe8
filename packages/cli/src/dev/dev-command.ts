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
Without --target it works with the local platform: the one that runs, else one that it starts itself and keeps in the plugin's
folder, in .tillwright. With --target development the key of the login stays in this process; pages reach the platform through
it. With --json every event is one line of JSON.`

/** `tillwright dev`. */
export const devCommand = withTarget(pluginCommand('dev'))
  .option('--port <number>', 'the first port to try', wholeNumber, 5_180)
  .option('--host', 'let the network see it too, over HTTPS, with a QR code for a phone')
  .option('--open', 'open the page in the browser')
  .option('--scenario <name>', 'begin with this scenario of scenarios.json')
  .option('--publishable-key <key>', "of a development platform: the key of its card form, for 'http://localhost:*'")
  .addHelpText('after', help)
  .action((folder: string, options: DevCommandOptions) => runDev(folder, options).catch(failWith))

async function runDev(folder: string, options: DevCommandOptions): Promise<void> {
  const { readScenarios: read, startDev } = await import('@tillwright/plugin-dev')
  const source = findDevPlatform(folder, options)
  const show = options.json === true ? (event: DevEvent) => `${JSON.stringify(event)}\n` : eachOnce(showDevEvent)
  const print = (event: DevEvent) => void process.stdout.write(show(event))
  try {
    const scenario = options.scenario === undefined ? null : await named(folder, options.scenario, read)
    const dev = await startDev({
      folder,
      findPlatform: source.find,
      port: options.port,
      onNetwork: options.host === true,
      environment: process.env,
      ...(scenario !== null && { scenario }),
      tell: print,
    })
    await attend(dev, { options, apiUrl: async () => (await source.find()).apiUrl })
    await dev.stop()
  } finally {
    await source.stop()
  }
}

/** What is told twice in a row, as by each page that has the same error, is shown once. */
function eachOnce(show: (event: DevEvent) => string): (event: DevEvent) => string {
  let last = ''
  return (event) => {
    const text = show(event)
    if (text === last && event.type === 'problems') return ''
    if (text !== '') last = text
    return text
  }
}

/** @throws {CommandFailed} Where there is no such scenario. */
async function named(folder: string, name: string, read: typeof readScenarios): Promise<Scenario> {
  const { readPlugin } = await import('@tillwright/plugin-build')
  const { plugin } = await readPlugin(folder)
  const scenarios = (plugin === null ? null : await read(plugin))?.scenarios ?? []
  const found = scenarios.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = scenarios.map((each) => each.name).join(', ')
  throw new CommandFailed(`--scenario: there is no "${name}"; there are: ${names || 'none'}.`, 'usage')
}

interface Attendance {
  options: DevCommandOptions
  apiUrl: () => Promise<string>
}

/** Stays until somebody wants it to end. */
async function attend(dev: DevServer, { options, apiUrl }: Attendance): Promise<void> {
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

/** For a phone in the same network. */
async function showQrCode({ networkUrls: [url] }: DevServer): Promise<void> {
  if (url === undefined) return
  const { renderUnicodeCompact } = await import('uqr')
  // Light on dark whatever the terminal's colours are: a phone reads no code with the colours exchanged.
  const lines = renderUnicodeCompact(`${url}/`, { border: 2 }).split('\n')
  const whole = lines.slice(0, -1).map((line) => pc.bgBlack(pc.whiteBright(line)))
  process.stdout.write(`\n${[...whole, pc.whiteBright(lines.at(-1))].join('\n')}\n`) // the last is half a line
}
