import type { Statement } from '../storage/index.ts'
import type { ProcessRow } from './peer-watch.ts'
import type { Circuits } from './tables.ts'

/** A process of the platform. */
export interface Member {
  /** Never used again. What a process has begun is marked with it. */
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
}

/** The statement by which a process joins. */
export function insertMember({ id, name, roles, version, schema, startedAtMs }: Member): Statement {
  return {
    sql: `INSERT INTO processes (id, name, roles, version, schema_number, beats, clock_offset, started_at, heartbeat_at)
      VALUES (?, ?, ?, ?, ?, 0, 0, ?, {now})`,
    params: [id, name, JSON.stringify(roles), version, schema, startedAtMs],
  }
}

/** The statement by which a process shows that it lives, and tells which processors it leaves alone. */
export function beatOf({ id, clockOffsetMs }: Member, circuits: Circuits): Statement {
  return {
    sql: `UPDATE processes SET beats = beats + 1, clock_offset = ?, circuits = ?, heartbeat_at = {now} WHERE id = ?
      RETURNING id`,
    params: [clockOffsetMs, JSON.stringify(circuits), id],
  }
}

/** A process as its row tells. */
export function toMember({ id, name, roles, version, schema_number, started_at, clock_offset }: ProcessRow): Member {
  return { id, name, roles, version, schema: schema_number, startedAtMs: started_at, clockOffsetMs: clock_offset }
}
