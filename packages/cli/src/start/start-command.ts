import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bankSimulator } from '@tillwright/bank-simulator'
import {
  type Config,
  createPlatformLog,
  type LocalFile,
  type LocalPlatform,
  localTime,
  readConfig,
  startLocal,
  takeHome,
} from '@tillwright/platform'
import { Command } from 'commander'
import pc from 'picocolors'
import { formatDuration } from '../clock/clock-command.ts'
import { homeFor } from '../target/local.ts'
import { CommandFailed, failWith } from '../terminal/fail-with.ts'
import { holdAddress, portOf, shopAddress } from './shop-address.ts'

interface StartOptions {
  shop: string
  demo?: boolean
}

/** `tillwright start`: runs the local back end and, if one is given, the developer's own shop with its keys. */
export const startCommand = new Command('start')
  .argument('[command...]', 'a command to run next to it, such as: -- node server.js')
  .option(
    '--shop <url>',
    "the shop's address: it receives webhooks at its /webhooks, and its pages may show the card form",
    shopAddress,
    'http://localhost:4410',
  )
  .option('--demo', 'a shop to look at and to pay in, in the place of one of your own')
  .addHelpText(
    'after',
    '\nThe API listens on port 4400 and the vault on 4401, or on free ones where they are taken; TILLWRIGHT_PORT and\nTILLWRIGHT_VAULT_PORT name others.',
  )
  .action(async (command: string[], { shop, demo }: StartOptions) => {
    try {
      await start(demo === true ? demoShop(command) : command, shop)
    } catch (error) {
      failWith(error)
    }
  })

/** The command that runs the demo shop, which the package `tillwright` includes next to the platform. */
function demoShop(command: readonly string[]): string[] {
  const server = fileURLToPath(new URL('./demo-shop/src/server.js', import.meta.url))
  if (command.length > 0) throw new CommandFailed('--demo runs a shop of its own: leave out --demo, or the command.')
  if (existsSync(server)) return [process.execPath, server]
  throw new CommandFailed('The demo shop comes with the package "tillwright": run "npx tillwright start --demo".')
}

async function start(command: readonly string[], wantedShop: string): Promise<void> {
  const config = readConfig(process.env)
  await homeFor('.')
  await takeHome(config.home)
  const held = command.length === 0 ? null : await holdAddress(wantedShop)
  const shopUrl = held?.url ?? wantedShop
  const logFile = join(config.home, 'platform.log')
  const platform = await startLocal(config, shopUrl, {
    log: createPlatformLog(config, logFile),
    simulator: bankSimulator,
  })
    .catch((error: unknown) => {
      throw isInUse(error) ? alreadyRunning(config.home) : error
    })
    .finally(() => held?.release())
  const shop = command.length === 0 ? null : startCompanion(command, { url: shopUrl, local: platform.local })
  stopTogether(platform, shop)
  try {
    await shop?.ready
  } catch (error) {
    await shop?.stop()
    await platform.stop()
    throw error
  }
  await platform.announce(shop === null ? null : shopUrl)
  process.stdout.write(
    banner(
      { ...platform.local, shopUrl: shop === null ? null : shopUrl },
      {
        ...moved(config, platform, { wantedShop, shopUrl }),
        memberLink: platform.memberLink,
        logFile,
        localFile: join(config.home, 'local.json'),
        ...(await localTime(config)),
      },
    ),
  )
}

/** By its name, since the platform is installed apart from us, with classes of its own. */
function isInUse(error: unknown): boolean {
  return error instanceof Error && error.name === 'DatabaseInUse'
}

/** The platform that has the folder's database says in its file where it runs, once it answers. */
function alreadyRunning(home: string): CommandFailed {
  const running = readRunning(join(home, 'local.json'))
  const where = running === null ? '' : `: ${running.apiUrl}, process ${running.pid}`
  return new CommandFailed(
    `A platform runs in this folder already${where}. Stop it with Ctrl-C where it was started, then start this one; or set TILLWRIGHT_HOME to another folder for a second platform, which takes the next free ports.`,
  )
}

function readRunning(file: string): Pick<LocalFile, 'apiUrl' | 'pid'> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalFile // written by the platform itself
  } catch {
    return null // it is still starting
  }
}

/** Reports for each taken port which one is used instead. */
function moved(
  config: Config,
  { apiUrl, vaultUrl }: LocalPlatform,
  { wantedShop, shopUrl }: { wantedShop: string; shopUrl: string },
) {
  const wanted = [
    [config.port, apiUrl],
    [config.vaultPort, vaultUrl],
    [portOf(new URL(wantedShop)), shopUrl],
  ] as const
  const moves = wanted.filter(([port, url]) => port !== 0 && port !== portOf(new URL(url)))
  return { moves: moves.map(([port, url]) => `Port ${port} is taken; using ${url} instead.`) }
}

/** A signal, or the shop's exit, stops everything. */
function stopTogether(platform: LocalPlatform, shop: Companion | null): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await shop?.stop()
    await platform.stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  void shop?.ended.then((code) => {
    if (!stopping && code !== 0) process.exitCode = code
    return stop()
  })
}

/** Test cards, and what the simulated processors do with them. */
const cards = [
  ['4242 4242 4242 4242', 'is charged'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0027 6000 3184', 'asks for a code from the bank: 1234 is correct'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
] as const

/** The contents of the banner in addition to the platform's addresses. */
export interface BannerFacts {
  moves: readonly string[]
  logFile: string
  /** The file with the addresses, ids and keys. */
  localFile: string
  /** The link that makes the first member of the account; `null` once there is one. */
  memberLink: string | null
  /** The time on the platform's clock, and how far it was moved. */
  nowMs: number
  aheadMs: number
}

/** The banner shown when everything is running. */
export function banner(local: LocalFile, facts: BannerFacts): string {
  const { moves, logFile, localFile, memberLink, nowMs, aheadMs } = facts
  const row = (name: string, value: string) => `  ${pc.dim(name.padEnd(14))} ${value}\n`
  return [
    ...moves.map((move) => `${pc.yellow('note')} ${move}\n`),
    aheadMs === 0 ? '' : `${pc.yellow('note')} ${aheadNote(nowMs, aheadMs)}\n`,
    `\n${pc.bold(pc.green('Tillwright is running.'))}\n\n`,
    local.shopUrl === null ? '' : row('Shop', pc.bold(pc.cyan(local.shopUrl))),
    row('API', local.apiUrl),
    row('Documentation', `${local.apiUrl}/guide/`),
    row('Reference', `${local.apiUrl}/docs`),
    row('Vault', local.vaultUrl),
    row('3-D Secure', `${local.apiUrl}/acs/timeline`),
    row('Console', memberLink ?? `${local.apiUrl}/console`),
    row('API key', local.apiKey),
    row('Logs', logFile),
    `\n  Test cards, with any future date and any CVC:\n`,
    ...cards.map(([number, what]) => `  ${number}  ${pc.dim(what)}\n`),
    `\n  Everything a script needs is in ${localFile}. Ctrl-C stops everything and keeps the data.\n\n`,
  ].join('')
}

/** Everything that expires, renews or is retried follows this clock, so a moved one explains much. */
function aheadNote(nowMs: number, aheadMs: number): string {
  const now = new Date(nowMs).toISOString().slice(0, 16).replace('T', ' ')
  return `The platform's clock is ${formatDuration(aheadMs)} ahead: it is ${now} UTC there, because "tillwright clock advance" moved it. To set it back, stop the platform and delete .tillwright/.`
}

/** A shop that runs next to the platform. */
interface Companion {
  /** Resolves when the shop responds; rejects if it exits first or does not respond in time. */
  ready: Promise<void>
  /** Resolves with the exit code. */
  ended: Promise<number>
  stop: () => Promise<void>
}

/** How long a shop may take to respond. */
const READY_MS = 60_000
const ASK_EVERY_MS = 50
/** How long it may take to exit after it was asked to. */
const STOP_MS = 5_000

/** Runs a command with the platform's addresses and keys in its environment. */
function startCompanion(command: readonly string[], { url, local }: { url: string; local: LocalFile }): Companion {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...ownEnvironment(), ...shopEnvironment(url, local) },
  })
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code) => resolve(code ?? 0))
  })
  return { ready: answers(url, { ended, name: command.join(' ') }), ended, stop: () => stopChild(child, ended) }
}

/** The environment without the platform's own settings, such as the vault's key, which the shop must not see. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TILLWRIGHT_|DATABASE_URL$)/.test(name)))
}

/** The variables that a shop needs, as in production. */
function shopEnvironment(url: string, local: LocalFile): Record<string, string> {
  return {
    PORT: String(portOf(new URL(url))),
    TILLWRIGHT_API_URL: local.apiUrl,
    TILLWRIGHT_VAULT_URL: local.vaultUrl,
    TILLWRIGHT_API_KEY: local.apiKey,
    TILLWRIGHT_PUBLISHABLE_KEY: local.publishableKey,
    TILLWRIGHT_STORE_ID: local.storeId,
    TILLWRIGHT_PRODUCT_ID: local.productId,
    TILLWRIGHT_WEBHOOK_SECRET: local.webhookSecret,
  }
}

async function answers(url: string, { ended, name }: { ended: Promise<number>; name: string }): Promise<void> {
  const exit: { code: number | null } = { code: null }
  void ended.then((code) => (exit.code = code))
  for (let waited = 0; waited < READY_MS; waited += ASK_EVERY_MS) {
    if (exit.code !== null)
      throw new CommandFailed(`"${name}" exited with code ${exit.code} before it responded at ${url}.`)
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return
    await delay(ASK_EVERY_MS)
  }
  throw new CommandFailed(`"${name}" did not respond at ${url} within ${READY_MS / 1_000} s; does it listen on PORT?`)
}

async function stopChild(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(forced)
}
