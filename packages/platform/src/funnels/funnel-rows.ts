import type { Funnel, PluginManifest } from '@tillwright/contract'
import { updateRow } from '../changes/index.ts'
import { indexWords, type ListTable, replaceWords } from '../lists/index.ts'
import type { Write } from '../request-context.ts'
import { taken } from '../runtime/index.ts'
import { type Database, int, pick, readByIds, rowReader } from '../storage/index.ts'
import { funnelPagesTable, funnelsTable } from './tables.ts'

/** A funnel with the number of its revision, which guards what is built on it. */
export interface StoredFunnel {
  funnel: Funnel
  revision: number
}

/** A funnel of the account, or `null`. */
export async function findFunnel(funnelId: string, accountId: string, db: Database): Promise<StoredFunnel | null> {
  const sql = 'SELECT resource, revision FROM funnels WHERE account_id = ? AND id = ?'
  const [row] = readFunnels(await db.read(sql, [accountId, funnelId]))
  return row === undefined ? null : { funnel: row.resource, revision: row.revision }
}

const readFunnels = rowReader(pick(funnelsTable, 'resource', 'revision'))

/** The funnels of an account as a list. */
export const funnelList: ListTable<Funnel> = {
  table: 'funnels',
  orderedBy: 'created_at',
  indexed: ['store_id', 'archived'],
  read: async (ids, accountId, db) =>
    (await readByIds(funnelsTable, { table: 'funnels', ids, accountId }, db)).map(({ resource }) => resource),
}

/** Guarded: the store is one of the account's, and not archived. */
export function insertFunnel(funnel: Funnel): Write[] {
  const { accountId, id, storeId, createdAt } = funnel
  const insert: Write = {
    sql: `INSERT INTO funnels (account_id, id, store_id, archived, revision, resource, created_at)
      SELECT ?, ?, id, 0, 1, ?, CAST(? AS BIGINT) FROM stores
      WHERE account_id = ? AND id = ? AND archived = 0`,
    params: [accountId, id, JSON.stringify(funnel), Date.parse(createdAt), accountId, storeId],
    expect: 1,
    onRefused: (reason) => (reason === 'duplicate' ? taken('funnel', id) : undefined),
  }
  return [insert, ...indexWords({ accountId, resource: 'funnel', id }, [funnel.name]), ...funnelPageWrites(funnel)]
}

/** Puts a changed funnel, with its next revision, in the place of the one that was read. */
export function replaceFunnel(funnel: Funnel): Write[] {
  const { accountId, id, archived } = funnel
  const set = { archived: Number(archived), resource: JSON.stringify(funnel) }
  return [
    ...updateRow('funnels', set, { accountId, resource: funnel }),
    ...replaceWords({ accountId, resource: 'funnel', id }, [funnel.name]),
    ...funnelPageWrites(funnel),
  ]
}

/** The step of a funnel that a page stands for. */
export interface FunnelEntry {
  id: string
  stepId: string
}

/** The page of a plugin to look up. */
interface AskedPage {
  accountId: string
  storeId: string
  pluginId: string
  pageId: string
}

/**
 * The funnel that a visitor of a plugin's page is in: the newest active one of the store with a step that shows the page,
 * else one that shows the plugin and names no page; `null` where there is neither.
 */
export async function findEntry(
  { accountId, storeId, pluginId, pageId }: AskedPage,
  db: Database,
): Promise<FunnelEntry | null> {
  const place = [accountId, storeId, pluginId]
  const rows = readEntries(await db.read(selectEntry, [...place, pageId, ...place]))
  const [newest] = rows.toSorted((a, b) => b.created_at - a.created_at || b.own - a.own)
  return newest === undefined ? null : { id: newest.funnel_id, stepId: newest.step_id }
}

/** Each half is one step down the index, however many funnels there are. */
const last = (page: string, own: 0 | 1) => `SELECT * FROM (
  SELECT funnel_id, step_id, created_at, ${own} AS own FROM funnel_pages
  WHERE account_id = ? AND store_id = ? AND plugin_id = ? AND page_id = ${page}
  ORDER BY created_at DESC, funnel_id DESC, rank DESC LIMIT 1)`
const selectEntry = `${last('?', 1)} AS own_page UNION ALL ${last("''", 0)} AS any_page`
const readEntries = rowReader({ ...pick(funnelPagesTable, 'funnel_id', 'step_id', 'created_at'), own: int })

/** The statements that put down which pages a funnel shows, in the place of what was known of it. */
function funnelPageWrites({ accountId, id, storeId, active, archived, steps, createdAt }: Funnel): Write[] {
  const forget = { sql: 'DELETE FROM funnel_pages WHERE account_id = ? AND funnel_id = ?', params: [accountId, id] }
  const rows = (active && !archived ? steps : []).flatMap(({ id: stepId, pluginId, pageId, previewOnly }, index) =>
    pluginId === null || previewOnly
      ? []
      : [[accountId, id, stepId, storeId, pluginId, pageId ?? '', -index, Date.parse(createdAt)]],
  )
  if (rows.length === 0) return [forget]
  const marks = rows.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')
  return [forget, { sql: `${insertPages} ${marks}`, params: rows.flat() }]
}

const insertPages = `INSERT INTO funnel_pages
  (account_id, funnel_id, step_id, store_id, plugin_id, page_id, rank, created_at) VALUES`

type Page = Pick<PluginManifest['pages'][number], 'features' | 'isDefault'>

/** The page of a plugin that a step shows which names none: the one with a feature of the step's type, else the default. */
export function pageForStep<Known extends Page>(stepType: string, pages: readonly Known[]): Known | undefined {
  const fitting = pages.find(({ features }) => features.some(({ type }) => type === stepType))
  return fitting ?? pages.find((page) => page.isDefault === true)
}
