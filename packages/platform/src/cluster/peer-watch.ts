import { pick, type RowOf, rowReader, type Statement } from '../storage/index.ts'
import { processesTable } from './tables.ts'

/** A peer is dead when this many of our own beats in a row have found it unchanged. */
const MISSED_MAX = 6

export const selectProcesses: Statement = {
  sql: 'SELECT id, name, roles, version, schema_number, beats, clock_offset, started_at, circuits, report FROM processes',
  params: [],
}
const processColumns = pick(
  processesTable,
  'id',
  'name',
  'roles',
  'version',
  'schema_number',
  'beats',
  'clock_offset',
  'started_at',
  'circuits',
  'report',
)
export const readProcesses = rowReader(processColumns)
export type ProcessRow = RowOf<typeof processColumns>

interface Watched {
  row: ProcessRow
  /** How many looks in a row have found no new beat. */
  missed: number
}

export type PeerWatch = ReturnType<typeof peerWatch>

/** Counts the beats that peers miss, by this process's own: while the database is away from all, nothing is counted. */
export function peerWatch(everyMs: number) {
  const watched = new Map<string, Watched>()
  let countedMs = 0
  return {
    /** @returns Whether a process has come or gone. */
    see(found: readonly ProcessRow[]): boolean {
      const lookedMs = performance.now()
      const counts = lookedMs - countedMs > everyMs * 0.8
      if (counts) countedMs = lookedMs
      const gone = [...watched.keys()].filter((id) => found.every((row) => row.id !== id))
      for (const id of gone) watched.delete(id)
      let came = false
      for (const row of found) {
        const known = watched.get(row.id)
        came ||= known === undefined
        const hasBeaten = known?.row.beats !== row.beats
        const missed = hasBeaten ? 0 : known.missed + (counts ? 1 : 0)
        watched.set(row.id, { row, missed })
      }
      return came || gone.length > 0
    },
    dead: () => [...watched.values()].filter(({ missed }) => missed >= MISSED_MAX).map(({ row }) => row),
    living: () => [...watched.values()].map(({ row }) => row),
    forget: (id: string) => watched.delete(id),
  }
}
