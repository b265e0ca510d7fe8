import type { Funnel } from '@tillwright/contract'
import { missing, taken } from '../ambient/api-error.ts'
import type { PagePosition } from '../ambient/page-cursor.ts'
import type { Write } from '../call.ts'
import type { Database, Row } from '../storage/database.ts'
import { funnelPageWrites } from './funnel-pages.ts'

/** A funnel with the number of its revision, which guards what is built on it. */
export interface StoredFunnel {
  funnel: Funnel
  revision: number
}

/** A funnel of the account, or `null`. */
export async function findFunnel(funnelId: string, accountId: string, db: Database): Promise<StoredFunnel | null> {
  const [row] = await db.read('SELECT resource, revision FROM funnels WHERE account_id = ? AND id = ?', [
    accountId,
    funnelId,
  ])
  return row === undefined ? null : { funnel: toFunnel(row), revision: Number(row['revision']) }
}

/** Which funnels a page has: those of the store, or of all, that are older than `before`. */
export interface FunnelPage {
  accountId: string
  storeId: string | undefined
  before: PagePosition
  limit: number
}

/** Funnels, newest first. */
export async function listFunnels(page: FunnelPage, db: Database): Promise<Funnel[]> {
  const { accountId, storeId, before, limit } = page
  const place = [before.createdAtMs, before.id, limit]
  const rows =
    storeId === undefined
      ? await db.read(selectPage, [accountId, ...place])
      : await db.read(selectStorePage, [accountId, storeId, ...place])
  return rows.map(toFunnel)
}

/** Guarded: the store is one of the account's. */
export function insertFunnel(funnel: Funnel): Write[] {
  const { accountId, id, storeId, createdAt } = funnel
  const insert: Write = {
    sql: `INSERT INTO funnels (account_id, id, store_id, revision, resource, created_at)
      SELECT ?, ?, id, 1, ?, CAST(? AS BIGINT) FROM stores WHERE account_id = ? AND id = ?`,
    params: [accountId, id, JSON.stringify(funnel), Date.parse(createdAt), accountId, storeId],
    expect: 1,
    otherwise: (reason) => (reason === 'expectation' ? missing('store', storeId, 'storeId') : taken('funnel', id)),
  }
  return [insert, ...funnelPageWrites(funnel)]
}

/**
 * Puts a changed funnel in the place of the one that was read. Guarded by its revision: who was overtaken by another
 * change reads again. The guard is a statement of its own, whose first text is the account, as the order of locks wants.
 */
export function replaceFunnel(funnel: Funnel, revision: number): Write[] {
  const { accountId, id } = funnel
  return [
    {
      sql: 'UPDATE funnels SET revision = revision + 1 WHERE account_id = ? AND id = ? AND revision = ?',
      params: [accountId, id, revision],
      expect: 1,
    },
    {
      sql: 'UPDATE funnels SET resource = ? WHERE account_id = ? AND id = ?',
      params: [JSON.stringify(funnel), accountId, id],
    },
    ...funnelPageWrites(funnel),
  ]
}

const newestFirst = 'AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?'
const selectPage = `SELECT resource FROM funnels WHERE account_id = ? ${newestFirst}`
const selectStorePage = `SELECT resource FROM funnels WHERE account_id = ? AND store_id = ? ${newestFirst}`

function toFunnel(row: Row): Funnel {
  return JSON.parse(String(row['resource']))
}
