import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPgBouncer } from '../../../../.ci/pgbouncer.ts'
import { type PostgresNode, startPostgresPair } from '../../../../.ci/postgres-pair.ts'
import { startPostgres } from '../../../../.ci/postgres.ts'
import type { Over } from '../place.ts'
import { canMountDisk, smallDisk } from '../small-disk.ts'

/**
 * Kinds of a site's PostgreSQL: one server, one with a synchronous replica, one behind PgBouncer in transaction mode,
 * or one with a small disk.
 */
export type DatabaseKind = 'server' | 'pair' | 'pooled' | 'small-disk'

/** A site's PostgreSQL, and what can be done to it. What its kind does not have, throws. */
export interface SiteDatabase {
  /** The maintenance database of the server that takes writes now. */
  url: () => string
  /** Where platforms connect to, on loopback. */
  ports: readonly number[]
  /** The end of the URL that platforms are given. */
  parameters: string
  /** Stops the server at once, without a clean shutdown, and starts it on the same port and data. */
  restart: () => Promise<void>
  /** The primary dies, and the replica takes over. */
  failOver: () => Promise<void>
  /** The dead server comes back as the replica. */
  rejoin: () => Promise<void>
  /** The replica dies; what watches the cluster lets the primary go on alone. */
  loseReplica: () => Promise<void>
  /** PgBouncer dies and comes back. */
  restartPooler: () => Promise<void>
  /** Nothing more fits on the disk. */
  fillDisk: () => Promise<void>
  /** There is room again, and the server runs again if it has ended. */
  clearDisk: () => Promise<void>
}

/** Starts one. It ends when `over` says. */
export async function openSiteDatabase(kind: DatabaseKind, over: Over): Promise<SiteDatabase> {
  switch (kind) {
    case 'server':
      return openServer(over)
    case 'pair':
      return openPair(over)
    case 'pooled':
      return openPooled(over)
    case 'small-disk':
      return openOnSmallDisk(over)
  }
}

const absent = () => Promise.reject(new Error('This kind of database does not have that.'))
const nothing: Omit<SiteDatabase, 'url' | 'ports'> = {
  parameters: '',
  restart: absent,
  failOver: absent,
  rejoin: absent,
  loseReplica: absent,
  restartPooler: absent,
  fillDisk: absent,
  clearDisk: absent,
}

/** A server that others run. */
export function givenDatabase(url: string): SiteDatabase {
  return { ...nothing, url: () => url, ports: [Number(new URL(url).port)] }
}

async function openServer(over: Over, parent?: string): Promise<SiteDatabase> {
  const server = found(await startPostgres(parent === undefined ? {} : { parent }))
  over(() => server.stop())
  return { ...givenDatabase(server.url), restart: () => server.restart() }
}

async function openPooled(over: Over): Promise<SiteDatabase> {
  const server = await openServer(over)
  const pooler = found(await startPgBouncer(server.url()))
  over(() => pooler.stop())
  return { ...server, ports: [pooler.port], restartPooler: () => pooler.restart() }
}

async function openPair(over: Over): Promise<SiteDatabase> {
  const pair = found(await startPostgresPair())
  over(() => pair.stop())
  let [primary, replica] = [pair.primary, pair.replica]
  return {
    ...nothing,
    url: () => primary.url,
    ports: [primary.port, replica.port],
    parameters: '?target_session_attrs=read-write',
    async failOver() {
      await primary.kill()
      await replica.promote()
      ;[primary, replica] = [replica, primary]
    },
    async rejoin() {
      await replica.rejoin()
      await waitFor(primary, 'replica')
    },
    async loseReplica() {
      await replica.kill()
      await waitFor(primary, '')
    },
  }
}

/** Sets the standbys whose acknowledgement commits wait for, as Patroni does when servers come and go. */
async function waitFor(primary: PostgresNode, names: string): Promise<void> {
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
  await primary.query('SELECT pg_reload_conf()')
}

/** Room for a new server's data and its log, and for some payments. */
const DISK_MB = 256

async function openOnSmallDisk(over: Over): Promise<SiteDatabase> {
  if (!canMountDisk()) throw new Error('No disk can be mounted here: only root may, and not in every container.')
  const folder = smallDisk(DISK_MB, over)
  const server = await openServer(over, folder)
  const ballast = join(folder, 'ballast')
  return {
    ...server,
    async fillDisk() {
      writeFileSync(ballast, '')
      spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']) // until nothing more fits
    },
    async clearDisk() {
      rmSync(ballast)
      await server.restart()
    },
  }
}

function found<Server extends object>(server: Server | { missing: string }): Server {
  if ('missing' in server) throw new Error(server.missing)
  return server
}
