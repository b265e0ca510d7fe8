import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalFile } from '@tillwright/platform'
import { nextSeed } from '../../../.ci/test-seed.ts'
import { freePort } from '../../../.ci/free-port.ts'

/** The demo shop as `npm start` starts it, with its own ports and data. */
export interface RunningShop {
  /** Contents of `local.json`. */
  local: LocalFile & { shopUrl: string }
  /** The folder with the platform's data and log. */
  home: string
  /** The output of the platform and the shop so far. */
  output(): string
  /** Stops both as Ctrl-C would, and deletes the data. */
  stop(): Promise<void>
}

/**
 * Starts the platform, the vault and the shop with the command line's own `start`.
 *
 * @param options `databaseUrl`: an empty PostgreSQL database, the embedded one unless given. `command`: the shop, as
 *   arguments of Node. `shopHost`, `vaultHost`: names of this machine, `localhost` unless given.
 * @throws {Error} With what was printed, when it ends before it is ready.
 */
export async function startShop(
  options: { databaseUrl?: string; command?: readonly string[]; shopHost?: string; vaultHost?: string } = {},
): Promise<RunningShop> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-flow-'))
  const shop = `http://${options.shopHost ?? 'localhost'}:${await freePort()}`
  const command = options.command ?? [fileURLToPath(new URL('../src/server.ts', import.meta.url))]
  const child = spawn(process.execPath, [cli, 'start', '--shop', shop, '--', process.execPath, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: options.databaseUrl ?? '',
      TILLWRIGHT_HOME: home,
      TILLWRIGHT_PORT: '0',
      ...(await vaultAddress(options.vaultHost)),
      TILLWRIGHT_SEED: nextSeed(),
    },
  })
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const listen = (text: string) => {
      output += text
      if (output.includes('Tillwright is running.')) resolve()
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
    child.on('exit', () => reject(new Error(`It ended before it was ready:\n${output}`)))
  })
  await ready
  // Its tests would say only that no server answers.
  const tell = () => process.stderr.write(`The shop ended by itself:\n${output}\n`)
  child.once('exit', tell)
  return {
    local: JSON.parse(await readFile(join(home, 'local.json'), 'utf8')),
    home,
    output: () => output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.off('exit', tell).kill('SIGTERM')
        await once(child, 'exit')
      }
      process.off('exit', kill)
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A name that is not `localhost` has to be said with its port. */
async function vaultAddress(host?: string): Promise<Record<string, string>> {
  if (host === undefined) return { TILLWRIGHT_VAULT_PORT: '0' }
  const port = await freePort()
  return { TILLWRIGHT_VAULT_PORT: String(port), TILLWRIGHT_VAULT_URL: `http://${host}:${port}` }
}

const cli = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url))
