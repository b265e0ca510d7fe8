import { timeOfId } from '@tillwright/contract'
import { type Backlog, BACKLOG_MAX } from '../cluster/index.ts'
import type { Services, Write } from '../request-context.ts'
import { failuresOf, startWorker } from '../runtime/index.ts'
import { type Database, int, nullable, pick, rowReader, type RowOf, type Statement, text } from '../storage/index.ts'
import { BEGINNING, type Chain, hashOf, type Link, macOfSeal, moveChain, readChain, type Seal } from './chain.ts'
import { auditSealsTable, auditUnsealedTable, type SealedEntry } from './tables.ts'

/** How often entries are sealed: for so long one that is removed leaves no trace. */
const SEAL_EVERY_MS = 1_000
/** Rows looked at in one go, each of the entries of one group of transactions. */
const AT_ONCE = 2_000
/** As soon as a seal covers so many entries, the next one begins. */
const SEALED_AT_ONCE = 2_000
/** How often the end of a chain is logged, so that the logs keep a copy outside of the database. */
const HEAD_LOGGED_EVERY_MS = 60_000

/** Services of the sealing worker, and how it announces sealed entries. */
export interface Sealing extends Pick<Services, 'db' | 'clock' | 'log' | 'secrets'> {
  cluster: Pick<Services['cluster'], 'mayLead' | 'finished'>
  /** Writes that announce sealed entries, in the transaction that seals them. */
  announce: (seal: Seal) => Promise<readonly Write[]>
}

/**
 * Seals what was recorded: puts the entries of each account into its chain, about a second after they were written. In the
 * transaction that writes them, all writers of an account would have to wait for each other. Of several processes the
 * first seals; the others are refused, and find nothing left to do.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startSealing(sealing: Sealing): () => Promise<void> {
  const { clock, cluster, log } = sealing
  const loggedAtMs = new Map<string, number>()
  return startWorker({
    clock,
    everyMs: SEAL_EVERY_MS,
    leads: () => cluster.mayLead(),
    async look() {
      for (const { accountId, sequence, hash } of await sealAll(sealing)) {
        const nowMs = clock.now()
        if (nowMs - (loggedAtMs.get(accountId) ?? Number.NEGATIVE_INFINITY) < HEAD_LOGGED_EVERY_MS) continue
        loggedAtMs.set(accountId, nowMs)
        log.info({ accountId, sequence, hash }, 'audit log sealed')
      }
    },
    onDone: () => cluster.finished('sealing'),
    ...failuresOf(log, { worker: 'sealing', message: 'the audit log could not be sealed; trying again' }),
  })
}

/**
 * Seals everything that is not sealed yet.
 *
 * @returns The seals made.
 */
export async function sealAll(sealing: Sealing): Promise<Seal[]> {
  const seals: Seal[] = []
  for (let after = ['', '']; ;) {
    const rows = readUnsealed(await sealing.db.read(selectUnsealed, [...after, AT_ONCE]))
    for (const group of together(rows)) {
      const seal = await sealOne(group, sealing)
      if (seal !== null) seals.push(seal)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < AT_ONCE) return seals
    after = [last.account_id, last.id]
  }
}

/** The entries that no seal covers yet, and when the oldest of these was written. */
export async function unsealedEntries(db: Database): Promise<Backlog> {
  const [row] = readWaiting(await db.read(countUnsealed, [BACKLOG_MAX]))
  const first = row?.first ?? null
  return { waiting: Math.min(row?.waiting ?? 0, BACKLOG_MAX), sinceMs: first === null ? null : timeOfId(first) }
}

const countUnsealed = `SELECT CAST(sum(total) AS BIGINT) AS waiting, min(id) AS first FROM (
    SELECT id, total FROM audit_unsealed WHERE account_id > '' LIMIT ?) AS counted`
const readWaiting = rowReader({ waiting: nullable(int), first: nullable(text) })

const readUnsealed = rowReader(auditUnsealedTable)
const selectUnsealed = `SELECT account_id, id, total, entries FROM audit_unsealed WHERE (account_id, id) > (?, ?)
  ORDER BY account_id, id LIMIT ?`

/** The content of one seal: entries of an account, and the ids of the rows that list them. */
interface Sealable {
  accountId: string
  entries: SealedEntry[]
  rows: string[]
}

/** Puts rows, which are in the order of accounts, into seals. */
function together(rows: readonly RowOf<typeof auditUnsealedTable>[]): Sealable[] {
  const groups: Sealable[] = []
  for (const { account_id: accountId, id, entries } of rows) {
    const open = groups.at(-1)
    if (open?.accountId === accountId && open.entries.length < SEALED_AT_ONCE) {
      open.entries.push(...entries)
      open.rows.push(id)
    } else groups.push({ accountId, entries: [...entries], rows: [id] })
  }
  return groups
}

/** @returns `null` when another process was faster, or the chain is broken: nothing may be built on what was changed. */
async function sealOne({ accountId, entries, rows }: Sealable, sealing: Sealing): Promise<Seal | null> {
  const { db, clock, log, secrets, announce } = sealing
  const from = await readChain(accountId, sealing)
  const begun: Link = { sequence: 0, hash: BEGINNING }
  const { head, pruned } = from ?? { head: begun, pruned: begun }
  if (from?.fits === false || !(await isHead(accountId, from, db))) {
    if (await hasMoved({ accountId, head, pruned }, sealing)) return null
    log.error({ accountId, sequence: head.sequence }, 'the audit log was changed, and is not sealed any further')
    return null
  }
  const nowMs = clock.now()
  const next = { accountId, sequence: head.sequence + 1, entries, previous: head.hash, createdAtMs: nowMs }
  const seal = { ...next, hash: hashOf(next) }
  const moved = moveChain({ accountId, pruned, head: seal }, { from, nowMs, secrets })
  const { outcome } = await db.write([
    insertSeal(seal, macOfSeal(seal, { secrets })),
    moved,
    forgetUnsealed(accountId, rows),
    ...(await announce(seal)),
  ])
  return outcome === 'committed' ? seal : null
}

/** Whether the last seal is the one that the chain ends with; without a chain, whether there is none. */
async function isHead(accountId: string, chain: Chain | null, db: Database): Promise<boolean> {
  const [last] = readLast(await db.read(selectLast, [accountId]))
  if (chain === null) return last === undefined
  if (last === undefined) return chain.head.sequence === chain.pruned.sequence
  return last.sequence === chain.head.sequence && last.hash === chain.head.hash
}

/** Whether another process has sealed or deleted something since the chain was read. */
async function hasMoved({ accountId, head, pruned }: Chain, sealing: Sealing): Promise<boolean> {
  const now = await readChain(accountId, sealing)
  if (now?.fits !== true) return false
  return now.head.sequence !== head.sequence || now.pruned.sequence !== pruned.sequence
}

const selectLast = 'SELECT sequence, hash FROM audit_seals WHERE account_id = ? ORDER BY sequence DESC LIMIT 1'
const readLast = rowReader(pick(auditSealsTable, 'sequence', 'hash'))

function insertSeal({ accountId, sequence, entries, previous, hash, createdAtMs }: Seal, mac: string): Statement {
  return {
    sql: `INSERT INTO audit_seals (account_id, sequence, entries, previous, hash, mac, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, sequence, JSON.stringify(entries), previous, hash, mac, createdAtMs],
  }
}

/** Entries that are not waiting any more were sealed by another process. */
function forgetUnsealed(accountId: string, rows: readonly string[]): Statement {
  return {
    sql: `DELETE FROM audit_unsealed WHERE account_id = ? AND id IN (SELECT item.value ->> 0 FROM {items})`,
    params: [accountId, JSON.stringify(rows.map((id) => [id]))],
    expect: rows.length,
  }
}
