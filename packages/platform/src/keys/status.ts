import { type Database, pick, rowReader } from '../storage/index.ts'
import { MAC_VERSION, readDataKeys, readWraps } from './key-ring.ts'
import { KEPT_FOR_MS, placeOf } from './reseal.ts'
import type { SealedColumn } from './sealed-column.ts'
import type { Ring } from './key-provider.ts'
import { keyUsesTable, resealsTable } from './tables.ts'

/** A ring's keys, for people and for metrics. */
export interface RingStatus {
  ring: Ring
  /** More than one while the master key is being replaced. */
  masterKeys: { id: string; place: string; since: string }[]
  dataKeys: {
    /** 0 is the key of MACs, which is never replaced. */
    version: number
    state: 'waiting' | 'in use' | 'being left' | 'retired' | 'destroyed'
    createdAt: string
    ageDays: number
    /** When a key that all rows have left is destroyed. */
    destroyedFrom: string | null
  }[]
  /** How far the rows of each column are sealed under the newest data key. */
  reseals: { place: string; version: number; resealed: number; isDone: boolean }[]
  /** How often keys were used, of all processes together; those of the last seconds may be missing. */
  uses: { version: number; purpose: string; operation: string; total: number; lastUsedAt: string }[]
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** The state of a ring's keys in the database. Needs no key. */
export async function ringStatus(
  ring: Ring,
  { db, nowMs, columns }: { db: Database; nowMs: number; columns: readonly SealedColumn[] },
): Promise<RingStatus> {
  const [keys, wraps] = [await readDataKeys({ db, ring }), await readWraps({ db, ring })]
  const reseals = readReseals(await db.read(selectReseals, [ring]))
  const uses = readUses(await db.read(selectUses, [ring]))
  const active = keys.findLast((key) => key.version > 0 && key.active_at <= nowMs)?.version
  const masters = mastersOf(wraps)
  const newest = keys.at(-1)?.version ?? 1
  return {
    ring,
    masterKeys: [...masters.values()].map((wrap) => ({
      id: wrap.master_key_id,
      place: wrap.master_key,
      since: iso(wrap.created_at),
    })),
    dataKeys: keys.map((key) => ({
      version: key.version,
      state: stateOf(key, { active, nowMs }),
      createdAt: iso(key.created_at),
      ageDays: Math.floor((nowMs - key.created_at) / DAY_MS),
      destroyedFrom: key.retired_at === null ? null : iso(key.retired_at + KEPT_FOR_MS),
    })),
    reseals: columns
      .filter((column) => column.ring === ring)
      .map((column) => {
        const row = reseals.find(({ place }) => place === placeOf(column))
        const isDone = newest === 1 || (row?.version === newest && (row.done_at !== null || row.pass === 2))
        return { place: placeOf(column), version: newest, resealed: row?.version === newest ? row.resealed : 0, isDone }
      }),
    uses: uses.map(({ last_used_at: at, ...use }) => ({ ...use, lastUsedAt: iso(at) })),
  }
}

/** Since when the newest data key and the newest master key of a ring have been there; `null` before its first. */
export async function newestKeys(
  ring: Ring,
  db: Database,
): Promise<{ dataMs: number | null; masterMs: number | null }> {
  const [keys, wraps] = [await readDataKeys({ db, ring }), await readWraps({ db, ring })]
  const masters = [...mastersOf(wraps).values()].map((wrap) => wrap.created_at)
  return {
    dataMs: keys.findLast(({ version }) => version > MAC_VERSION)?.created_at ?? null,
    masterMs: masters.length === 0 ? null : Math.max(...masters),
  }
}

/** The first wrap under each master key, which is that of the key of MACs: it stays as long as the master key. */
function mastersOf(wraps: Awaited<ReturnType<typeof readWraps>>): Map<string, (typeof wraps)[number]> {
  const masters = new Map<string, (typeof wraps)[number]>()
  for (const wrap of wraps) if (!masters.has(wrap.master_key_id)) masters.set(wrap.master_key_id, wrap)
  return masters
}

function stateOf(
  key: Awaited<ReturnType<typeof readDataKeys>>[number],
  { active, nowMs }: { active: number | undefined; nowMs: number },
): RingStatus['dataKeys'][number]['state'] {
  if (key.state !== 'live') return key.state
  if (key.version === 0 || key.version === active) return 'in use'
  return key.active_at > nowMs ? 'waiting' : 'being left'
}

const selectReseals = 'SELECT place, version, pass, resealed, done_at FROM reseals WHERE ring = ? ORDER BY place'
const readReseals = rowReader(pick(resealsTable, 'place', 'version', 'pass', 'resealed', 'done_at'))
const selectUses = `SELECT version, purpose, operation, total, last_used_at FROM key_uses
  WHERE ring = ? ORDER BY version, purpose, operation`
const readUses = rowReader(pick(keyUsesTable, 'version', 'purpose', 'operation', 'total', 'last_used_at'))

function iso(atMs: number): string {
  return new Date(atMs).toISOString()
}
