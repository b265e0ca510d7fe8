import { type AccountPlaces, accountPlaces, type Clock, type Failures, startWorker } from '../runtime/index.ts'
import { type Database, type Query, type Row, rowReader, text } from '../storage/index.ts'
import { claimRows, type Lease } from './claims.ts'
import type { Cluster } from './membership.ts'

/** Rows of a table that become due, by a lease that one process holds. */
export interface DueRows {
  table: string
  /** The rows that may come to be due: those of an index over the account and `orderBy`. */
  among: string
  /** Which of them are due. */
  isDue: string
  /** The parameters of `isDue` at a time. */
  params: (nowMs: number) => readonly (string | number)[]
  orderBy: string
  /** The columns that the work needs, `account_id` among them. */
  columns: string
  /** The assignments that make them due again. */
  freed: string
}

/** Work on rows of many accounts. */
export interface FairWork<R extends { account_id: string }> {
  due: readonly DueRows[]
  /** Finds out whether there is anything due; where it is left out, that is as cheap by way of the accounts. */
  look?: (nowMs: number) => Query
  read: (rows: readonly Row[]) => readonly R[]
  /** Never rejects. */
  work: (row: R) => Promise<void>
  /** How many are worked on at once; of one account half of them at most. */
  places: number
}

/** What claiming needs. */
export interface Claimer {
  db: Database
  clock: Clock
  cluster: Cluster
}

/** When and how work is looked for. */
export interface Looking extends Failures {
  everyMs: number
  /** Called when what is due has been begun with. */
  onDone: () => void
}

/**
 * Works on what is due, of all accounts alike: one with much of it, or whose processor hangs, does not hold up the others. Any
 * number of processes share the work.
 *
 * @returns Stops the worker; resolves when what is under way has ended.
 */
export function startFairWork<R extends { account_id: string }>(
  work: FairWork<R>,
  claimer: Claimer,
  looking: Looking,
): () => Promise<void> {
  const { clock, cluster } = claimer
  let wake = () => {}
  const turns = new AccountTurns(work, claimer, () => wake())
  const stop = startWorker({
    ...looking,
    clock,
    leads: () => cluster.mayLead(),
    // What a process held that has just died is free now.
    onWake(ring) {
      wake = ring
      return cluster.onPeers(ring)
    },
    look: async () => void (await turns.begin()),
  })
  return async () => {
    await stop()
    await turns.ended()
  }
}

/**
 * Works on what is due now, once.
 *
 * @returns How many rows there were.
 */
export async function workOnce<R extends { account_id: string }>(work: FairWork<R>, claimer: Claimer): Promise<number> {
  const turns = new AccountTurns(work, claimer, () => {})
  let worked = 0
  try {
    for (let begun = -1; begun !== 0; worked += begun) {
      begun = await turns.begin()
      await turns.ended()
    }
  } finally {
    await turns.ended()
  }
  return worked
}

/** The turns of accounts. */
class AccountTurns<R extends { account_id: string }> {
  readonly #work: FairWork<R>
  readonly #claimer: Claimer
  readonly #places: AccountPlaces
  readonly #underWay = new Set<Promise<void>>()
  /** The account that had the last turn, of each kind of rows. */
  readonly #last = new Map<DueRows, string>()
  /** Called when there is a place again for what had to wait. */
  readonly #onRoom: () => void
  #isWaiting = false

  constructor(work: FairWork<R>, claimer: Claimer, onRoom: () => void) {
    this.#work = work
    this.#claimer = claimer
    this.#places = accountPlaces(work.places)
    this.#onRoom = onRoom
  }

  /** Takes what there are places for and begins with it. Returns how much that was. */
  async begin(): Promise<number> {
    this.#isWaiting = false
    const { db, clock } = this.#claimer
    const look = this.#work.look?.(clock.now())
    if (look !== undefined && (await db.read(look.sql, look.params)).length === 0) return 0
    let begun = 0
    for (const rows of this.#work.due) {
      const claimed = await this.#claimDue(rows)
      for (const row of claimed) this.#beginWith(row)
      begun += claimed.length
    }
    return begun
  }

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #beginWith(row: R): void {
    const done = this.#work.work(row).then(() => {
      this.#underWay.delete(done)
      this.#places.leave(row.account_id)
      if (this.#isWaiting) this.#onRoom()
    })
    this.#underWay.add(done)
  }

  async #claimDue(rows: DueRows): Promise<readonly R[]> {
    const accountIds = await this.#accountsDue(rows)
    const shares = share(accountIds, this.#places)
    if (shares.size < accountIds.length) this.#isWaiting = true
    if (shares.size === 0) return []
    this.#last.set(rows, [...shares.keys()].at(-1) ?? '')
    const left = new Map(shares)
    try {
      const claimed = this.#work.read(await this.#claim(rows, shares))
      for (const row of claimed) left.set(row.account_id, (left.get(row.account_id) ?? 0) - 1)
      if ([...left.values()].includes(0)) this.#isWaiting = true
      return claimed
    } finally {
      for (const [id, count] of left) this.#places.leave(id, count)
    }
  }

  /** As many as there are places, from the one behind the last on. */
  async #accountsDue(rows: DueRows): Promise<string[]> {
    const { db, clock } = this.#claimer
    const { places } = this.#work
    const last = this.#last.get(rows) ?? ''
    const behind = (id: string) => accountsDue(rows, { behind: id, nowMs: clock.now(), limit: places }, db)
    const next = await behind(last)
    return last === '' || next.length === places ? next : [...new Set([...next, ...(await behind(''))])]
  }

  #claim(rows: DueRows, shares: ReadonlyMap<string, number>): Promise<readonly Row[]> {
    const { db, clock } = this.#claimer
    const sql = takeDue(rows, db.engine)
    const params = rows.params(clock.now())
    const claiming = {
      take: ({ holder, untilMs }: Lease) =>
        [...shares].map(([id, most]) => ({ sql, params: [id, ...params, most, untilMs, holder] })),
      giveBack: ({ holder, untilMs }: Lease) =>
        [...shares].map(([id]) => ({ sql: freeTaken(rows), params: [id, holder, untilMs] })),
    }
    return claimRows(claiming, this.#claimer)
  }
}

/** Takes places for accounts, one each in turn. Returns how many each has got. */
function share(accountIds: readonly string[], places: AccountPlaces): Map<string, number> {
  const shares = new Map<string, number>()
  for (let before = -1; before !== places.taken;) {
    before = places.taken
    for (const id of accountIds) {
      if (!places.isFreeFor(id)) continue
      places.take(id)
      shares.set(id, (shares.get(id) ?? 0) + 1)
    }
  }
  return shares
}

/** The accounts behind one that have something due, in order. */
export async function accountsDue(
  rows: Pick<DueRows, 'table' | 'among' | 'isDue' | 'params'>,
  { behind, nowMs, limit }: { behind: string; nowMs: number; limit: number },
  db: Database,
): Promise<string[]> {
  const found = await db.read(selectAccounts(rows), [behind, ...rows.params(nowMs), limit])
  return readAccounts(found).map((row) => row.account_id)
}

/** Each account is found by one step through the index, however much is due of it. */
const selectAccounts = ({
  table,
  among,
  isDue,
}: Pick<DueRows, 'table' | 'among' | 'isDue'>): string => `WITH RECURSIVE waiting (id) AS (
    SELECT min(account_id) FROM ${table} WHERE ${among} AND account_id > ?
    UNION ALL
    SELECT (SELECT min(account_id) FROM ${table} WHERE ${among} AND account_id > waiting.id)
    FROM waiting WHERE waiting.id IS NOT NULL)
  SELECT id AS account_id FROM waiting WHERE id IS NOT NULL
    AND EXISTS (SELECT 1 FROM ${table} WHERE account_id = waiting.id AND ${among} AND ${isDue}) LIMIT ?`
const readAccounts = rowReader({ account_id: text })

/** Materialised, because a planner that runs the inner query twice would claim more than the limit. */
const takeDue = ({ table, among, isDue, orderBy, columns }: DueRows, engine: Database['engine']): string =>
  `WITH due AS MATERIALIZED (
    SELECT account_id, id FROM ${table}
    WHERE account_id = ? AND ${among} AND ${isDue}
    ORDER BY ${orderBy} LIMIT ? ${engine === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''})
  UPDATE ${table} SET lease_until = ?, holder = ? WHERE (account_id, id) IN (SELECT account_id, id FROM due)
  RETURNING ${columns}`

const freeTaken = ({ table, among, freed }: DueRows): string =>
  `UPDATE ${table} SET ${freed} WHERE account_id = ? AND ${among} AND holder = ? AND lease_until = ? RETURNING id`
