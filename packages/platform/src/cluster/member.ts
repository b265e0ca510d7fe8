import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '../runtime/index.ts'
import { type Database, int, migrations, rowReader, schemaOf, type Statement } from '../storage/index.ts'
import { platformVersion } from '../version.ts'
import type { ProcessRow } from './peer-watch.ts'
import { type Circuits, type ProcessReport, processesTable } from './tables.ts'

/** A process of the platform. */
export interface Member {
  /** Never used again. Marks the work that a process has begun. */
  id: string
  /** For people: host and process id, such as `api-7f9c:1`. */
  name: string
  roles: readonly string[]
  version: string
  /** The newest schema that it knows: what it may still use is not taken away while it lives. */
  schema: number
  startedAtMs: number
  /** How far its machine's clock is ahead of the database's, in milliseconds. */
  clockOffsetMs: number
  /** Of a peer, as of its last beat. */
  report: ProcessReport
}

/** The name of this process in log lines and health answers. */
export const processName = `${hostname()}:${process.pid}`

/** A process that has just begun: it has told nothing of itself yet. */
export function newMember({
  roles = ['all'],
  schema = schemaOf(migrations),
  clock,
}: {
  roles?: readonly string[]
  schema?: number
  clock: Clock
}): Omit<Member, 'report'> {
  // Never from the platform's randomness: a seed would repeat the ids of the dead.
  const id = `proc_${randomBytes(12).toString('base64url')}`
  const startedAtMs = clock.now()
  return { id, name: processName, roles, version: platformVersion, schema, startedAtMs, clockOffsetMs: 0 }
}

/** How far a machine's clock may be off before it is worth a warning. */
export const CLOCK_OFF_MS = 5_000

/**
 * Whether a process has the wrong clock: its machine's is far from the database's, while processes that can do all of its
 * work are right. Where none of them is, it is the database's clock that is wrong, or nobody would be left.
 */
export function hasWrongClock(self: Pick<Member, 'roles' | 'clockOffsetMs'>, peers: readonly Member[]): boolean {
  const isOff = ({ clockOffsetMs }: Pick<Member, 'clockOffsetMs'>) => Math.abs(clockOffsetMs) > CLOCK_OFF_MS
  if (!isOff(self)) return false
  const right = peers.filter((peer) => !isOff(peer))
  return self.roles.every((role) => right.some(({ roles }) => roles.includes(role) || roles.includes('all')))
}

/** Joins. */
export function insertMember({ id, name, roles, version, schema, startedAtMs, report }: Member): Statement {
  return {
    sql: `INSERT INTO processes (id, name, roles, version, schema_number, beats, clock_offset, started_at, heartbeat_at,
        report)
      VALUES (?, ?, ?, ?, ?, 0, 0, ?, {now}, ?)`,
    params: [id, name, JSON.stringify(roles), version, schema, startedAtMs, JSON.stringify(report)],
  }
}

/** A heartbeat, which tells which processors the process leaves alone. Returns nothing for who was taken for dead. */
export function beatOf({ id, clockOffsetMs, report }: Member, circuits: Circuits): Statement {
  return {
    sql: `UPDATE processes SET beats = beats + 1, clock_offset = ?, circuits = ?, heartbeat_at = {now}, report = ? WHERE id = ?
      RETURNING id`,
    params: [clockOffsetMs, JSON.stringify(circuits), JSON.stringify(report), id],
  }
}

/** A row of `processes` as a member. */
export function toMember(row: ProcessRow): Member {
  const { id, name, roles, version, schema_number: schema, started_at: startedAtMs, report } = row
  return { id, name, roles, version, schema, startedAtMs, clockOffsetMs: row.clock_offset, report }
}

/** A process as the database has it, and how long ago it last beat. */
export interface ListedProcess extends Member {
  heartbeatAtMs: number
  heartbeatAgeMs: number
}

/** All processes that are not known to be dead, the oldest first. This one's report is up to a beat old, as the others'. */
export async function listProcesses(db: Database): Promise<ListedProcess[]> {
  const rows = readListed(await db.read(selectListed, []))
  return rows.map((row) => ({
    ...toMember(row),
    heartbeatAtMs: row.heartbeat_at,
    heartbeatAgeMs: Math.max(0, row.now - row.heartbeat_at),
  }))
}

const selectListed = `SELECT id, name, roles, version, schema_number, beats, clock_offset, started_at, circuits, report, heartbeat_at,
    {now} AS now
  FROM processes ORDER BY started_at, id`
const readListed = rowReader({ ...processesTable, now: int })
