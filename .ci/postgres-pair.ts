import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { queryPostgres } from './postgres-database.ts'
import { freePort } from './free-port.ts'
import { initialise, run } from './postgres.ts'

/** One of the servers of a pair, in processes that a test can stop like a machine. */
export interface PostgresNode {
  port: number
  url: string
  /** Runs SQL over a connection of its own. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>
  /** `kill -9` for every process of it, as a machine without power. */
  kill(): Promise<void>
  /** SIGSTOP for every process of it: connections stay open and answer nothing. */
  pause(): void
  resume(): void
  start(): Promise<void>
  /** Makes a standby a primary; resolves when it takes writes. */
  promote(): Promise<void>
  /** Kills it, copies the other one, and starts it as that one's standby. */
  rejoin(): Promise<void>
  /** From now on its commits wait for a standby, which must be there. */
  waitForStandby(): Promise<void>
}

/** A primary and its streaming replica on loopback. */
export interface PostgresPair {
  primary: PostgresNode
  replica: PostgresNode
  /** Both as libpq writes it, the first primary first. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL with a streaming replica, in two to three seconds.
 *
 * @param options `synchronous` (the default): a commit is acknowledged when the replica has it, too. A replica that was
 *   promoted waits for no other server.
 * @returns Or, in a sentence, why there is none to be had and what would install one.
 */
export async function startPostgresPair(
  options: { synchronous?: boolean } = {},
): Promise<PostgresPair | { missing: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tillwright-postgres-pair-'))
  chmodSync(folder, 0o755)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  const binaries = findPostgresBinaries(folder)
  if ('missing' in binaries) {
    remove()
    return binaries
  }
  const ports = [await freePort(), await freePort()] as const
  const data = initialise(binaries, folder)
  const primary = node(binaries, data, { port: ports[0], otherPort: ports[1] })
  await primary.start()
  const copy = join(folder, 'replica')
  await copyData(binaries, { data: copy, fromPort: ports[0] })
  const replica = node(binaries, copy, { port: ports[1], otherPort: ports[0] })
  await replica.start()
  if (options.synchronous !== false) await primary.waitForStandby()
  return {
    primary,
    replica,
    url: `postgres://postgres@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres?target_session_attrs=read-write`,
    async stop() {
      await Promise.all([primary.kill(), replica.kill()])
      process.off('exit', remove)
      remove()
    },
  }
}

function node(binaries: PostgresBinaries, data: string, place: { port: number; otherPort: number }): PostgresNode {
  const url = `postgres://postgres@127.0.0.1:${place.port}/postgres`
  const settings = {
    port: String(place.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    wal_retrieve_retry_interval: '100ms', // how long a replica whose primary is gone waits before it can be promoted
  }
  let server: ChildProcess | null = null
  const self: PostgresNode = {
    port: place.port,
    url,
    query: (sql) => queryPostgres(url, sql),
    async start() {
      server = await run(binaries, data, settings)
    },
    async kill() {
      if (server === null || server.exitCode !== null || server.signalCode !== null) return
      const exited = once(server, 'exit')
      signal(server, 'SIGKILL')
      await exited
    },
    pause: () => signal(server, 'SIGSTOP'),
    resume: () => signal(server, 'SIGCONT'),
    async promote() {
      await self.query('SELECT pg_promote(true, 60)')
    },
    async rejoin() {
      await self.kill()
      rmSync(data, { recursive: true, force: true })
      await copyData(binaries, { data, fromPort: place.otherPort })
      await self.start()
    },
    async waitForStandby() {
      // Not part of a copy that was made before, so that a promoted replica waits for no other.
      await self.query(`ALTER SYSTEM SET synchronous_standby_names = 'replica'`)
      await self.query('SELECT pg_reload_conf()')
      const sync = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`
      while ((await self.query(sync)).length === 0) await delay(20)
    },
  }
  return self
}

/** To the server and each of its processes, which are in process groups of their own. */
function signal(server: ChildProcess | null, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  if (server?.pid === undefined) return
  const children = spawnSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' }).stdout
  for (const pid of [server.pid, ...children.split('\n').filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended on its own meanwhile.
    }
  }
}

/** Never waits for the copy with a blocked thread: the load of a test goes on meanwhile, and may lead through this process. */
async function copyData(
  { folder, user }: PostgresBinaries,
  { data, fromPort }: { data: string; fromPort: number },
): Promise<void> {
  mkdirSync(data, { mode: 0o700 })
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  const from = `host=127.0.0.1 port=${fromPort} user=postgres application_name=replica`
  const flags = ['-D', data, '-d', from, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
  const copying = spawn(join(folder, 'pg_basebackup'), flags, {
    ...user,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [code]] = await Promise.all([text(copying.stderr), once(copying, 'exit')])
  if (code !== 0) throw new Error(`pg_basebackup failed: ${said}`)
}
