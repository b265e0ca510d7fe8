import type { Migration } from '../migrate.ts'

/**
 * Which step of which funnel shows a plugin's page, for whoever serves that page: the steps that buyers meet in funnels
 * that are active, with the page's id or '' for any page of the plugin. `rank` falls from step to step, and `created_at` is
 * the funnel's, so that the newest funnel's first step is the last in order. Follows `funnels`.
 */
export const funnelPages: Migration = {
  id: '0021-funnel-pages',
  statements: [
    `CREATE TABLE funnel_pages (
      account_id {text} NOT NULL, funnel_id {text} NOT NULL, step_id {text} NOT NULL, store_id {text} NOT NULL,
      plugin_id {text} NOT NULL, page_id {text} NOT NULL, rank {int} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, funnel_id, step_id)) {strict}`,
    `CREATE INDEX funnel_pages_by_page
      ON funnel_pages (account_id, store_id, plugin_id, page_id, created_at, funnel_id, rank)`,
    `INSERT INTO funnel_pages (account_id, funnel_id, step_id, store_id, plugin_id, page_id, rank, created_at)
      SELECT f.account_id, f.id, item.value ->> 'id', f.store_id, item.value ->> 'pluginId',
        COALESCE(item.value ->> 'pageId', ''), -item.key, f.created_at
      FROM funnels f CROSS JOIN {each f.resource steps}
      WHERE CAST(f.resource{json} -> 'active' AS TEXT) = 'true' AND item.value ->> 'pluginId' IS NOT NULL
        AND CAST(item.value -> 'previewOnly' AS TEXT) = 'false'`,
  ],
}
