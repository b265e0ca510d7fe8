import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bankSimulator } from '@tillwright/bank-simulator'
import { createPlatformLog, readConfig, startLocal, type Config, type LocalPlatform } from '@tillwright/platform'
import { Command } from 'commander'
import { failWith } from '../terminal/fail-with.ts'
import { banner } from './banner.ts'
import { freePort } from './free-port.ts'
import { runBeside, type Companion } from './run-beside.ts'

interface StartOptions {
  shop: string
}

/** `tillwright start`: the local back end, and beside it, if one is named, the developer's own shop with its keys. */
export const startCommand = new Command('start')
  .argument('[command...]', 'what to run beside it, such as: -- node server.js')
  .option(
    '--shop <url>',
    'where the shop answers: webhooks go to its /webhooks, its pages may hold the card form',
    'http://localhost:4410',
  )
  .action((command: string[], { shop }: StartOptions) => start(command, shop).catch(failWith))

async function start(command: readonly string[], wantedShop: string): Promise<void> {
  const config = readConfig(process.env)
  await mkdir(config.home, { recursive: true, mode: 0o700 })
  const shopUrl = command.length === 0 ? wantedShop : await freeAddress(wantedShop)
  const logFile = join(config.home, 'platform.log')
  const platform = await startLocal(config, shopUrl, {
    log: createPlatformLog(config, logFile),
    simulator: bankSimulator,
  })
  const shop = command.length === 0 ? null : runBeside(command, { url: shopUrl, local: platform.local })
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
      { ...moved(config, platform, { wantedShop, shopUrl }), logFile },
    ),
  )
}

/** The shop's address with the first port from the wanted one on that is free. */
async function freeAddress(wanted: string): Promise<string> {
  const url = new URL(wanted)
  url.port = String(await freePort(url.hostname, Number(url.port || 80)))
  return url.origin
}

/** Says of each port that was taken which one is used instead. */
function moved(
  config: Config,
  { apiUrl, vaultUrl }: LocalPlatform,
  { wantedShop, shopUrl }: { wantedShop: string; shopUrl: string },
) {
  const wanted = [
    [config.port, apiUrl],
    [config.vaultPort, vaultUrl],
    [Number(new URL(wantedShop).port), shopUrl],
  ] as const
  const moves = wanted.filter(([port, url]) => port !== 0 && port !== Number(new URL(url).port))
  return { moves: moves.map(([port, url]) => `Port ${port} is taken; using ${url} instead.`) }
}

/** One end for both: a signal, or the shop's own end, stops everything. */
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
