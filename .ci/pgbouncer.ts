import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { unprivilegedUser } from './postgres-binaries.ts'
import { freePort } from './free-port.ts'

/** A PgBouncer of our own on loopback, in front of a PostgreSQL there, for every database of it. */
export interface PgBouncer {
  version: string
  port: number
  /** The same database through PgBouncer. */
  through(url: string): string
  /** `kill -9`. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a PgBouncer that shares connections by the transaction.
 *
 * @param options `settings`: lines of pgbouncer.ini instead of ours, such as `{ pool_mode: 'session' }`. `program`:
 *   another than the installed one.
 * @returns Or, in a sentence, why there is none to be had and what would install one.
 */
export async function startPgBouncer(
  serverUrl: string,
  options: { settings?: Readonly<Record<string, string>>; program?: string } = {},
): Promise<PgBouncer | { missing: string }> {
  const program = options.program ?? findPgBouncer()
  if (program === null) return { missing: 'No PgBouncer was found. As root run `apt-get install -y pgbouncer`.' }
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  if (user === null) return { missing: 'There is neither a user `postgres` nor `nobody` to run PgBouncer as.' }
  const version = /\d+\.\d+/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[0] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'tillwright-pgbouncer-'))
  chmodSync(folder, 0o755)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, iniFor(serverUrl, port, options.settings ?? {}))
  const start = () => run(spawn(program, [file], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }))
  let pooler = await start()
  return {
    version,
    port,
    through(url) {
      const address = new URL(url)
      address.port = String(port)
      return address.href
    },
    kill: () => end(pooler, 'SIGKILL'),
    async restart() {
      await end(pooler, 'SIGKILL')
      pooler = await start()
    },
    async stop() {
      await end(pooler, 'SIGQUIT') // at once, whichever clients are still connected
      process.off('exit', remove)
      remove()
    },
  }
}

function findPgBouncer(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file)) ?? null
}

function iniFor(serverUrl: string, port: number, settings: Readonly<Record<string, string>>): string {
  const { hostname, port: serverPort, username } = new URL(serverUrl)
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: '8',
    max_client_conn: '500',
    ...settings,
  }
  const pgbouncer = Object.entries(lines).map(([name, value]) => `${name} = ${value}`)
  const database = `* = host=${hostname} port=${serverPort || 5432} user=${username}`
  return ['[databases]', database, '[pgbouncer]', ...pgbouncer, ''].join('\n')
}

/** Resolves when the pooler takes connections. */
function run(pooler: ChildProcess): Promise<ChildProcess> {
  const kill = () => pooler.kill('SIGKILL')
  process.on('exit', kill)
  pooler.on('exit', () => process.off('exit', kill))
  return new Promise((resolve, reject) => {
    let said = ''
    pooler.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
      if (text.includes('process up')) resolve(pooler)
    })
    pooler.on('error', reject)
    pooler.on('exit', () => reject(new Error(`PgBouncer did not start:\n${said}`)))
  })
}

async function end(pooler: ChildProcess, signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
  if (pooler.exitCode !== null || pooler.signalCode !== null) return
  const exited = once(pooler, 'exit')
  pooler.kill(signal)
  await exited
}
