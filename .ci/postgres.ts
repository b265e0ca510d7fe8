import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'

/** A PostgreSQL server of our own on loopback, in a temporary folder, without passwords. */
export interface PostgresServer {
  /** Of its maintenance database. See `createDatabase` for one per test. */
  url: string
  /** The folder with `postgres` and `initdb`. */
  binaries: string
  /** Stops the server at once, without a clean shutdown, and starts it on the same port and data. */
  restart(): Promise<void>
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL in about a second.
 *
 * @param options `settings`: lines of postgresql.conf, such as `{ fsync: 'off' }`; everything that makes writes durable
 *   is on by default. `parent`: the folder that its own stands in, otherwise the system's temporary one.
 * @returns Or, in a sentence, why there is none to be had and what would install one.
 * @throws If it is there but does not start; the message ends with what it said.
 */
export async function startPostgres(
  options: { settings?: Readonly<Record<string, string>>; parent?: string } = {},
): Promise<PostgresServer | { missing: string }> {
  const folder = mkdtempSync(join(options.parent ?? tmpdir(), 'tillwright-postgres-'))
  chmodSync(folder, 0o755)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  const binaries = findPostgresBinaries(folder)
  if ('missing' in binaries) {
    remove()
    return binaries
  }
  const data = initialise(binaries, folder)
  const port = await freePort()
  const settings = {
    ...options.settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  }
  let server = await run(binaries, data, settings)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    binaries: binaries.folder,
    async restart() {
      await end(server, 'SIGQUIT')
      server = await run(binaries, data, settings)
    },
    async stop() {
      await end(server, 'SIGINT')
      process.off('exit', remove)
      remove()
    },
  }
}

/** Makes the folder `data` of a server, whose superuser is `postgres`. @returns Its path. */
export function initialise({ folder, user }: PostgresBinaries, scratch: string): string {
  const data = join(scratch, 'data')
  mkdirSync(data)
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  const flags = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  const initdb = spawnSync(join(folder, 'initdb'), flags, { ...user, cwd: data, encoding: 'utf8' })
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.error?.message ?? initdb.stderr}`)
  return data
}

/** Starts a server. Resolves when it takes connections, on a standby for reading. */
export async function run(
  { folder, user }: PostgresBinaries,
  data: string,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const server = spawn(join(folder, 'postgres'), ['-D', data, ...flags], { ...user, cwd: data, stdio: [...stdio] })
  const kill = () => server.kill('SIGQUIT')
  process.on('exit', kill)
  server.on('exit', () => process.off('exit', kill))
  await ready(server)
  return server
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
      if (/database system is ready to accept (read-only )?connections/.test(text)) resolve()
    })
    server.on('error', reject)
    server.on('exit', () => reject(new Error(`PostgreSQL did not start:\n${said}`)))
  })
}

async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill(signal)
  await exited
}
