import { hash } from 'node:crypto'
import type { Services, Write } from '../request-context.ts'
import { type Database, rowReader, type RowOf } from '../storage/index.ts'
import { auditChainsTable, auditSealsTable, type SealedEntry } from './tables.ts'

/** The seals of an account: from the one after `pruned`, which was the last to be deleted, up to `head`. */
export interface Chain {
  accountId: string
  pruned: Link
  head: Link
}

/** A seal by its number and hash. Before the first, 0 and `BEGINNING`. */
export interface Link {
  sequence: number
  hash: string
}

/** Content of a seal: its entries with their MACs, and the hash of the seal before it. */
export interface Seal extends Link {
  accountId: string
  entries: readonly SealedEntry[]
  previous: string
  createdAtMs: number
}

type Keys = Pick<Services, 'secrets'>

/** The hash before the first seal of every account. */
export const BEGINNING = ''

/** SHA-256 over everything that a seal covers, computed from the rows alone, without any key. Base64url. */
export function hashOf({ accountId, sequence, entries, previous, createdAtMs }: Omit<Seal, 'hash'>): string {
  return hash('sha256', JSON.stringify([accountId, sequence, previous, createdAtMs, entries]), 'base64url')
}

/** MAC of a seal's hash, base64url. Without the platform's key no other chain can be written. */
export function macOfSeal({ accountId, sequence, hash: sealed }: Omit<Seal, 'entries'>, { secrets }: Keys): string {
  return secrets.mac('audit seal', JSON.stringify([accountId, sequence, sealed]))
}

function macOfChain({ accountId, pruned, head }: Chain, { secrets }: Keys): string {
  const text = JSON.stringify([accountId, pruned.sequence, pruned.hash, head.sequence, head.hash])
  return secrets.mac('audit chain', text)
}

const readChains = rowReader(auditChainsTable)
const readSeals = rowReader(auditSealsTable)

/** A chain as it is stored; `fits` tells whether its MAC is right. */
export type StoredChain = Chain & { fits: boolean }

/** The chain of an account; `null` before its first seal. */
export async function readChain(
  accountId: string,
  { db, secrets }: Keys & { db: Database },
): Promise<StoredChain | null> {
  const [row] = readChains(await db.read('SELECT * FROM audit_chains WHERE account_id = ?', [accountId]))
  return row === undefined ? null : toChain(row, { secrets })
}

/** The chains of all accounts, and of the platform itself. */
export async function readAllChains({ db, secrets }: Keys & { db: Database }): Promise<StoredChain[]> {
  const rows = await db.read('SELECT * FROM audit_chains ORDER BY account_id', [])
  return readChains(rows).map((row) => toChain(row, { secrets }))
}

function toChain(row: RowOf<typeof auditChainsTable>, keys: Keys): StoredChain {
  const chain = {
    accountId: row.account_id,
    pruned: { sequence: row.pruned_sequence, hash: row.pruned_hash },
    head: { sequence: row.head_sequence, hash: row.head_hash },
  }
  return { ...chain, fits: macOfChain(chain, keys) === row.mac }
}

/** A seal as it is stored, with the MAC that is stored next to it. */
export type StoredSeal = Seal & { mac: string }

/** The seals of an account after a number, in order, at most `limit`. */
export async function readSealsAfter(
  { accountId, after, limit }: { accountId: string; after: number; limit: number },
  db: Database,
): Promise<StoredSeal[]> {
  const rows = await db.read(
    'SELECT * FROM audit_seals WHERE account_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
    [accountId, after, limit],
  )
  return readSeals(rows).map((row) => ({
    accountId: row.account_id,
    sequence: row.sequence,
    entries: row.entries,
    previous: row.previous,
    hash: row.hash,
    createdAtMs: row.created_at,
    mac: row.mac,
  }))
}

/** The statement that moves the beginning or the end of a chain, refused where another process has moved it. */
export function moveChain(
  { accountId, pruned, head }: Chain,
  { from, nowMs, secrets }: Keys & { from: Chain | null; nowMs: number },
): Write {
  const mac = macOfChain({ accountId, pruned, head }, { secrets })
  const values = [pruned.sequence, pruned.hash, head.sequence, head.hash, mac, nowMs]
  if (from === null) {
    return {
      sql: `INSERT INTO audit_chains (account_id, pruned_sequence, pruned_hash, head_sequence, head_hash, mac, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      params: [accountId, ...values],
    }
  }
  return {
    sql: `UPDATE audit_chains SET pruned_sequence = ?, pruned_hash = ?, head_sequence = ?, head_hash = ?, mac = ?,
      updated_at = ? WHERE account_id = ? AND head_sequence = ? AND pruned_sequence = ?`,
    params: [...values, accountId, from.head.sequence, from.pruned.sequence],
    expect: 1,
  }
}
