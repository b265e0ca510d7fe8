import type { Funnel } from '@tillwright/contract'
import type { Write } from '../call.ts'
import type { Database } from '../storage/database.ts'

/** The step of a funnel that a page stands for. */
export interface FunnelEntry {
  id: string
  stepId: string
}

/** Which page of which plugin is asked about. */
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
  const rows = await db.read(selectEntry, [...place, pageId, ...place])
  const [newest] = rows.toSorted(
    (a, b) => Number(b['created_at']) - Number(a['created_at']) || Number(b['own']) - Number(a['own']),
  )
  return newest === undefined ? null : { id: String(newest['funnel_id']), stepId: String(newest['step_id']) }
}

/** Each half is one step down the index, however many funnels there are. */
const last = (page: string, own: 0 | 1) => `SELECT * FROM (
  SELECT funnel_id, step_id, created_at, ${own} AS own FROM funnel_pages
  WHERE account_id = ? AND store_id = ? AND plugin_id = ? AND page_id = ${page}
  ORDER BY created_at DESC, funnel_id DESC, rank DESC LIMIT 1)`
const selectEntry = `${last('?', 1)} AS own_page UNION ALL ${last("''", 0)} AS any_page`

/** The statements that put down which pages a funnel shows, in the place of what was known of it. */
export function funnelPageWrites({ accountId, id, storeId, active, steps, createdAt }: Funnel): Write[] {
  const forget = { sql: 'DELETE FROM funnel_pages WHERE account_id = ? AND funnel_id = ?', params: [accountId, id] }
  const rows = (active ? steps : []).flatMap(({ id: stepId, pluginId, pageId, previewOnly }, index) =>
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
