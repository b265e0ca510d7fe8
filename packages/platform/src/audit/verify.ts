import { isObject } from '@tillwright/contract/json'
import type { Services } from '../request-context.ts'
import { type Database, nullable, pick, rowReader, type RowOf, text } from '../storage/index.ts'
import {
  type Chain,
  hashOf,
  type Link,
  macOfSeal,
  readAllChains,
  readChain,
  readSealsAfter,
  type StoredChain,
  type StoredSeal,
} from './chain.ts'
import { macOfChanges, macOfRow } from './record.ts'
import { auditEntriesTable, auditUnsealedTable, type Changes, type SealedEntry } from './tables.ts'

/** Something that does not fit. */
export interface AuditProblem {
  accountId: string
  /** The seal that it was found in; `null` outside of any. */
  sequence: number | null
  /** The entry, where it is about one. */
  entryId: string | null
  problem: string
}

/** The log of an account, as it was found. */
export interface AuditVerdict {
  accountId: string
  /** Sealed entries that fit. */
  entries: number
  /** Entries of the last moments, which no seal covers yet. */
  unsealed: number
  /** The last seal that was deleted because its time was over; 0 for none. */
  prunedUpTo: number
  head: Link
  /** In the order of the log; the first is where it stops to be trustworthy. At most 20. */
  problems: AuditProblem[]
}

/** A head that was kept elsewhere: the chain must still go through it. */
export type KeptHead = Link & { accountId: string }

const PROBLEMS_MAX = 20
const SEALS_AT_ONCE = 50
const ENTRIES_AT_ONCE = 1_000

type Verifying = Pick<Services, 'db' | 'secrets'>

/**
 * Verifies the log of every account: that no sealed entry was removed or changed, that none was put in, and that the seals
 * follow each other without a gap up to the end.
 *
 * @param kept Heads that were kept elsewhere. Without them a log that was cut off, and its end with it, looks whole.
 */
export async function verifyAudit(
  services: Verifying,
  { account, kept = [] }: { account?: string; kept?: readonly KeptHead[] } = {},
): Promise<AuditVerdict[]> {
  const named = account === undefined ? await readAllChains(services) : [await readChain(account, services)]
  const chains = named.filter((chain) => chain !== null)
  const known = new Set(chains.map(({ accountId }) => accountId))
  const verdicts: AuditVerdict[] = []
  for (const chain of chains) {
    const ends = kept.filter((each) => each.accountId === chain.accountId)
    verdicts.push(await verifyChain(chain, ends, services))
  }
  const lost = [...new Set(kept.map(({ accountId }) => accountId))].filter((id) => !known.has(id))
  const unchained = await accountsWithout(known, account, services.db)
  for (const accountId of new Set([...lost, ...unchained])) {
    verdicts.push(await withoutChain(accountId, lost.includes(accountId), services))
  }
  return verdicts
}

/** Verifies a chain, once more from its new beginning if the oldest entries were deleted meanwhile: their time was over. */
async function verifyChain(chain: StoredChain, kept: readonly Link[], services: Verifying): Promise<AuditVerdict> {
  const verdict = await new Verification(chain, services).run(kept)
  if (verdict.problems.length === 0) return verdict
  const now = await readChain(chain.accountId, services)
  const wasPruned = now !== null && now.pruned.sequence !== chain.pruned.sequence
  return wasPruned ? verifyChain(now, kept, services) : verdict
}

/** The changes as the text that they were written as, which their MAC is of. */
const entryColumns = { ...auditEntriesTable, changes: nullable(text) }
const readEntries = rowReader(entryColumns)
const readWaiting = rowReader(pick(auditUnsealedTable, 'id', 'entries'))
const readOwners = rowReader({ account_id: auditEntriesTable.account_id })
type EntryRow = RowOf<typeof entryColumns>

/** Accounts that have entries or seals, but no chain. */
async function accountsWithout(known: ReadonlySet<string>, named: string | undefined, db: Database): Promise<string[]> {
  const rows = await db.read(
    'SELECT DISTINCT account_id FROM audit_entries UNION SELECT account_id FROM audit_seals',
    [],
  )
  const owners = readOwners(rows).map((row) => row.account_id)
  return owners.filter((id) => !known.has(id) && (named === undefined || id === named)).toSorted()
}

/** Before its first seal an account may have unsealed entries, and nothing else. */
async function withoutChain(accountId: string, isLost: boolean, services: Verifying): Promise<AuditVerdict> {
  const nothing = { sequence: 0, hash: '' }
  const verification = new Verification({ accountId, pruned: nothing, head: nothing, fits: true }, services)
  if (isLost) verification.note('the end that was kept elsewhere is not here: the whole log was removed')
  return verification.run([])
}

class Verification {
  readonly #chain: StoredChain
  readonly #services: Verifying
  readonly #problems: AuditProblem[] = []
  /** All entries that a seal names. */
  readonly #sealed = new Set<string>()
  /** The MACs of entries that wait for a seal, by their ids. */
  readonly #waiting = new Map<string, string>()
  #entries = 0
  #last: Link

  constructor(chain: StoredChain, services: Verifying) {
    this.#chain = chain
    this.#services = services
    this.#last = chain.pruned
  }

  async run(kept: readonly Link[]): Promise<AuditVerdict> {
    const { accountId, pruned, head } = this.#chain
    if (!this.#chain.fits) this.note('the record of where the log begins and ends was changed')
    for (const each of kept) {
      if (each.sequence > head.sequence) this.note(`the log was cut off: seal ${each.sequence} was kept elsewhere`)
    }
    await this.#seals(kept)
    if (this.#last.sequence < head.sequence) {
      this.note(`seals ${this.#last.sequence + 1} to ${head.sequence} were removed`, { sequence: head.sequence })
    }
    const unsealed = await this.#others()
    return {
      accountId,
      entries: this.#entries,
      unsealed,
      prunedUpTo: pruned.sequence,
      head,
      problems: this.#problems,
    }
  }

  note(
    problem: string,
    { sequence = null, entryId = null }: { sequence?: number | null; entryId?: string | null } = {},
  ) {
    if (this.#problems.length >= PROBLEMS_MAX) return
    this.#problems.push({ accountId: this.#chain.accountId, sequence, entryId, problem })
  }

  /** Also those that are added meanwhile, so that no entry seems to have none. */
  async #seals(kept: readonly Link[]): Promise<void> {
    const { accountId } = this.#chain
    for (;;) {
      const page = { accountId, after: this.#last.sequence, limit: SEALS_AT_ONCE }
      const seals = await readSealsAfter(page, this.#services.db)
      for (const seal of seals) await this.#seal(seal, kept)
      if (seals.length < SEALS_AT_ONCE) return
    }
  }

  async #seal(seal: StoredSeal, kept: readonly Link[]): Promise<void> {
    const { sequence, previous, hash, entries, mac } = seal
    const at = { sequence }
    if (sequence !== this.#last.sequence + 1) {
      this.note(`seals ${this.#last.sequence + 1} to ${sequence - 1} were removed`, at)
    } else if (previous !== this.#last.hash) {
      this.note('this seal does not follow the one before it', at)
    }
    if (hashOf(seal) !== hash || macOfSeal(seal, this.#services) !== mac) this.note('this seal was changed', at)
    const elsewhere = kept.find((each) => each.sequence === sequence)
    if (elsewhere !== undefined && elsewhere.hash !== hash) this.note('this seal is not the one kept elsewhere', at)
    const end = this.#chain.head
    if (sequence === end.sequence && hash !== end.hash) this.note('this seal is not the one that the log ends with', at)
    this.#last = { sequence, hash }
    for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
      await this.#entriesOf(entries.slice(from, from + ENTRIES_AT_ONCE), sequence)
    }
  }

  async #entriesOf(sealed: readonly SealedEntry[], sequence: number): Promise<void> {
    const ids = JSON.stringify(sealed)
    const { accountId } = this.#chain
    const rows = readEntries(await this.#services.db.read(selectNamed, [accountId, ids]))
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const [entryId, mac] of sealed) {
      this.#sealed.add(entryId)
      const row = found.get(entryId)
      const at = { sequence, entryId }
      if (row === undefined) this.note('this entry was removed', at)
      else if (row.mac !== mac || !(await this.#fits(row))) this.note('this entry was changed', at)
      else this.#entries += 1
    }
  }

  async #fits(row: EntryRow): Promise<boolean> {
    return fits(row, this.#services) && (row.erased_by === null || (await this.#isErased(row.id, row.erased_by)))
  }

  /** Whether an erased entry is accounted for: the entry of its erasure must name it. */
  async #isErased(id: string, by: string): Promise<boolean> {
    const rows = await this.#services.db.read(selectOne, [this.#chain.accountId, by])
    const [row] = readEntries(rows)
    if (row === undefined || !row.operation.endsWith('.erase') || !fits(row, this.#services)) return false
    const { after }: Changes = row.changes === null ? {} : JSON.parse(row.changes)
    const { entries: named }: { entries?: unknown } = isObject(after) ? after : {}
    return Array.isArray(named) && named.includes(id)
  }

  /** Entries without a seal: new ones, which wait for it, and such as were put in. */
  async #others(): Promise<number> {
    const { accountId } = this.#chain
    const { db } = this.#services
    let waiting = 0
    for (let after = ''; ;) {
      const rows = readEntries(await db.read(selectAfter, [accountId, after, ENTRIES_AT_ONCE]))
      const others = rows.filter(({ id }) => !this.#sealed.has(id))
      if (others.length > 0) await this.#seals([]) // they may have been sealed since
      const unsealed = others.filter(({ id }) => !this.#sealed.has(id))
      if (unsealed.some(({ id }) => !this.#waiting.has(id))) await this.#readWaiting()
      for (const row of unsealed) {
        const mac = this.#waiting.get(row.id)
        if (mac === undefined) {
          await this.#seals([]) // it may have been sealed in between
          if (this.#sealed.has(row.id)) continue
          this.note('this entry was put in, or taken from its seal', { entryId: row.id })
        } else if (mac !== row.mac || !(await this.#fits(row))) {
          this.note('this entry was changed', { entryId: row.id })
        } else waiting += 1
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < ENTRIES_AT_ONCE) return waiting
      after = last.id
    }
  }

  /** All entries that wait, because those of one row are of any time. */
  async #readWaiting(): Promise<void> {
    for (let after = ''; ;) {
      const page = [this.#chain.accountId, after, ENTRIES_AT_ONCE]
      const rows = readWaiting(await this.#services.db.read(selectUnsealed, page))
      for (const { entries } of rows) for (const [id, mac] of entries) this.#waiting.set(id, mac)
      const last = rows.at(-1)
      if (last === undefined || rows.length < ENTRIES_AT_ONCE) return
      after = last.id
    }
  }
}

/** Whether the MACs of an entry are right. Its changes may have been erased; then theirs cannot be computed. */
function fits(row: EntryRow, services: Verifying): boolean {
  if (macOfRow(row, services) !== row.mac) return false
  if (row.changes === null) return row.erased_by !== null
  return macOfChanges({ ...row, changes: row.changes }, services) === row.changes_mac
}

const selectNamed = `SELECT * FROM audit_entries WHERE account_id = ? AND id IN (SELECT item.value ->> 0 FROM {items})`
const selectOne = 'SELECT * FROM audit_entries WHERE account_id = ? AND id = ?'
const selectAfter = 'SELECT * FROM audit_entries WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?'
const selectUnsealed = 'SELECT id, entries FROM audit_unsealed WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?'

/** Where each log ends, to be kept somewhere else. */
export async function auditHeads(services: Verifying): Promise<KeptHead[]> {
  const chains: Chain[] = await readAllChains(services)
  return chains.map(({ accountId, head }) => ({ accountId, ...head }))
}
