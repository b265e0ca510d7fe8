import type { BoxKeys, Clock, Failures, KeyOperation, Randomness, SecretBox } from '../runtime/index.ts'
import { boxOf, ConfigError, OperatorError } from '../runtime/index.ts'
import { type Database, pick, rowReader, type Statement } from '../storage/index.ts'
import type { KeyProvider, Ring } from './key-provider.ts'
import { dataKeysTable, dataKeyWrapsTable } from './tables.ts'

/** How often a process looks for keys that another one has made. */
const LOOK_EVERY_MS = 2_000
/** How long a new data key waits before it is used: until every process has it. */
export const ACTIVE_AFTER_MS = 10_000
/** How often the uses of keys are added to those of other processes. */
const WRITE_USES_EVERY_MS = 10_000
const KEY_BYTES = 32
/** The version of the key of MACs, which is never replaced. */
export const MAC_VERSION = 0

/** How often one key was used for one purpose, by this process. */
export interface KeyUses {
  ring: Ring
  /** 0 is the key of MACs. */
  version: number
  purpose: string
  /** `wrap` and `unwrap` are the master key's. */
  operation: KeyOperation | 'wrap' | 'unwrap'
  count: number
}

/** The data keys of a ring, decrypted and in memory, and the box over them. */
export interface KeyRing {
  readonly ring: Ring
  readonly box: SecretBox
  readonly master: KeyProvider
  /** Every use since this process has started. */
  uses(): KeyUses[]
  /** Looks for new keys now. */
  refresh(): Promise<void>
  /** Writes down the uses that have not been yet, and ends. */
  close(): Promise<void>
}

/** Services and keys for opening a ring. */
export interface Opening {
  db: Database
  clock: Clock
  randomness: Randomness
  ring: Ring
  master: KeyProvider
  /** The setting that named the master key, for messages. */
  setting: string
  /** Told of looks for new keys that fail, and of the first one afterwards that does not. */
  failures?: Failures
}

/** The keys of a database were made under another master key than the one given. */
export class WrongMasterKey extends ConfigError {
  override readonly name = 'WrongMasterKey'
}

/**
 * Opens a ring: decrypts its data keys with the master key, or makes the first ones in an empty database. Afterwards the
 * master key is needed only for new data keys, so a process goes on while the service that keeps it is away.
 *
 * @throws {WrongMasterKey} If the database's keys are under another master key.
 */
export async function openKeyRing(opening: Opening): Promise<KeyRing> {
  const { ring, master, db, clock, failures } = opening
  const counts = new Map<string, { use: KeyUses; unwritten: number }>()
  const note = (operation: KeyUses['operation'], purpose: string, version: number): void => {
    const key = `${operation} ${version} ${purpose}`
    const counted = counts.get(key)
    if (counted === undefined) {
      counts.set(key, { use: { ring, version, purpose, operation, count: 1 }, unwritten: 1 })
    } else {
      counted.use.count += 1
      counted.unwritten += 1
    }
  }
  const keys = new RingKeys(opening, note)
  await keys.load()
  const box = boxOf(() => keys.current(), opening.randomness, note)

  async function writeUses(): Promise<void> {
    const noted = [...counts.values()].filter(({ unwritten }) => unwritten > 0)
    if (noted.length === 0) return
    const nowMs = clock.now()
    const uses = noted.map(({ use, unwritten: count }) => ({ ...use, count }))
    for (const counted of noted) counted.unwritten = 0
    await db
      .write(uses.map((use) => addUses(use, nowMs)))
      .catch(() => noted.forEach((counted, at) => (counted.unwritten += uses[at]?.count ?? 0)))
  }

  // A look that fails is repeated: the keys that are in memory stay good.
  const look = () => keys.load().then(failures?.onOver, (error: unknown) => failures?.onError(error))
  const looking = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  const writing = setInterval(() => void writeUses(), WRITE_USES_EVERY_MS).unref()
  return {
    ring,
    box,
    master,
    uses: () => [...counts.values()].map(({ use }) => ({ ...use })),
    refresh: () => keys.load(),
    async close() {
      clearInterval(looking)
      clearInterval(writing)
      await keys.settled()
      await writeUses()
    },
  }
}

type Note = (operation: KeyUses['operation'], purpose: string, version: number) => void

class RingKeys {
  readonly #opening: Opening
  readonly #note: Note
  readonly #held = new Map<number, Uint8Array>()
  #rows: readonly DataKeyRow[] = []
  #loading: Promise<void> | null = null
  #keys: BoxKeys | null = null

  constructor(opening: Opening, note: Note) {
    this.#opening = opening
    this.#note = note
  }

  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = null))
    return this.#loading
  }

  async settled(): Promise<void> {
    await this.#loading?.catch(() => {})
  }

  /** The active key and all others. The active one depends on the time, too. */
  current(): BoxKeys {
    const nowMs = this.#opening.clock.now()
    const active =
      this.#rows.findLast(({ version, active_at: at }) => version > MAC_VERSION && at <= nowMs)?.version ?? 1
    const mac = this.#held.get(MAC_VERSION)
    if (mac === undefined) throw new Error(`The ring ${this.#opening.ring} is not open.`)
    if (this.#keys?.active !== active) {
      const kept = new Map([...this.#held].filter(([version]) => version !== MAC_VERSION))
      this.#keys = { active, kept, mac }
    }
    return this.#keys
  }

  async #load(): Promise<void> {
    let rows = await readDataKeys(this.#opening)
    if (rows.length === 0) {
      await makeFirstKeys(this.#opening, this.#note)
      rows = await readDataKeys(this.#opening)
    }
    const live = rows.filter(({ state }) => state !== 'destroyed')
    const missing = live.filter(({ version }) => !this.#held.has(version))
    for (const [version, key] of await this.#unwrapped(missing)) this.#held.set(version, key)
    for (const version of this.#held.keys()) {
      if (!live.some((row) => row.version === version)) this.#held.delete(version)
    }
    this.#rows = live
    this.#keys = null
  }

  async #unwrapped(missing: readonly DataKeyRow[]): Promise<[number, Uint8Array][]> {
    if (missing.length === 0) return []
    const { ring, master, setting } = this.#opening
    const wraps = await readWraps(this.#opening)
    const keys: [number, Uint8Array][] = []
    for (const { version } of missing) {
      const wrap = wraps.find((each) => each.version === version && each.master_key_id === master.id)
      if (wrap === undefined) throw wrongMasterKey(ring, { setting, given: master.id, wraps })
      this.#note('unwrap', 'data key', version)
      keys.push([version, await master.unwrap(wrap.wrapped, boundOf(ring, version))])
    }
    return keys
  }
}

function wrongMasterKey(
  ring: Ring,
  { setting, given, wraps }: { setting: string; given: string; wraps: readonly WrapRow[] },
): WrongMasterKey {
  const known = [...new Set(wraps.map((wrap) => `${wrap.master_key_id} (${wrap.master_key})`))].join(', ')
  return new WrongMasterKey(
    `${setting}: the ${ring} of this database were sealed under the master key ${known}, and the one given is ${given} ` +
      '(the first 8 hex digits of its SHA-256). Start with the right key, or with a database of its own.',
  )
}

type DataKeyRow = Awaited<ReturnType<typeof readDataKeys>>[number]
type WrapRow = Awaited<ReturnType<typeof readWraps>>[number]

/** The data keys of a ring, the oldest first. */
export async function readDataKeys({ db, ring }: Pick<Opening, 'db' | 'ring'>) {
  const sql = 'SELECT version, state, created_at, active_at, retired_at FROM data_keys WHERE ring = ? ORDER BY version'
  return readKeyRows(await db.read(sql, [ring]))
}

const readKeyRows = rowReader(pick(dataKeysTable, 'version', 'state', 'created_at', 'active_at', 'retired_at'))

/** The data keys of a ring as master keys have encrypted them. */
export async function readWraps({ db, ring }: Pick<Opening, 'db' | 'ring'>) {
  const sql = `SELECT version, master_key_id, master_key, wrapped, created_at FROM data_key_wraps
    WHERE ring = ? ORDER BY version, created_at`
  return readWrapRows(await db.read(sql, [ring]))
}

const readWrapRows = rowReader(
  pick(dataKeyWrapsTable, 'version', 'master_key_id', 'master_key', 'wrapped', 'created_at'),
)

/** Of processes that start at once on an empty database, one makes the keys. */
async function makeFirstKeys(opening: Opening, note: Note): Promise<void> {
  const nowMs = opening.clock.now()
  const writes: Statement[] = []
  for (const version of [MAC_VERSION, 1]) {
    note('wrap', 'data key', version)
    writes.push(...(await newDataKey(opening, { version, activeAtMs: nowMs, nowMs })))
  }
  await opening.db.write(writes)
}

/** The statements that record a new data key. It is read back from its wrap first: a key that is lost opens nothing. */
export async function newDataKey(
  { ring, master, randomness }: Pick<Opening, 'ring' | 'master' | 'randomness'>,
  { version, activeAtMs, nowMs }: { version: number; activeAtMs: number; nowMs: number },
): Promise<Statement[]> {
  const key = randomness.bytes(KEY_BYTES)
  const wrap = await wrapStatement(key, { ring, version, master, nowMs })
  return [
    {
      sql: `INSERT INTO data_keys (ring, version, state, created_at, active_at) VALUES (?, ?, 'live', ?, ?)`,
      params: [ring, version, nowMs, activeAtMs],
    },
    wrap,
  ]
}

/** The statement that records a data key as a master key has encrypted it. */
export async function wrapStatement(
  key: Uint8Array,
  { ring, version, master, nowMs }: { ring: Ring; version: number; master: KeyProvider; nowMs: number },
): Promise<Statement> {
  const bound = boundOf(ring, version)
  const wrapped = await master.wrap(key, bound)
  if (Buffer.compare(await master.unwrap(wrapped, bound), key) !== 0)
    throw new OperatorError(
      `${master.place} does not return the key that it was given to encrypt; nothing was changed.`,
    )
  return {
    sql: `INSERT INTO data_key_wraps (ring, version, master_key_id, master_key, wrapped, created_at)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (ring, version, master_key_id) DO NOTHING`,
    params: [ring, version, master.id, master.place, wrapped, nowMs],
  }
}

/** Context that a data key is wrapped with, `ring/version`: it unwraps only as the same. */
export function boundOf(ring: Ring, version: number): string {
  return `${ring}/${version}`
}

function addUses({ ring, version, purpose, operation, count }: KeyUses, nowMs: number): Statement {
  return {
    sql: `INSERT INTO key_uses (ring, version, purpose, operation, total, last_used_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (ring, version, purpose, operation) DO UPDATE SET
        total = key_uses.total + excluded.total, last_used_at = excluded.last_used_at`,
    params: [ring, version, purpose, operation, count, nowMs],
  }
}
