import type { PluginManifest } from '@tillwright/contract'
import type { Call, Write } from '../../call.ts'
import { pluginSlug } from './plugin-slug.ts'

/** The plugin of a manifest, with what makes it if it is new. */
export interface FoundPlugin {
  id: string
  isNew: boolean
  writes: Write[]
}

/**
 * Finds the plugin that a manifest is of: the one with its `pluginId`, else the one that is known by its name. Of two
 * requests that make it at once, one is done again and finds it.
 */
export async function findPlugin(manifest: PluginManifest, call: Call): Promise<FoundPlugin> {
  const { accountId } = call.caller
  const slug = manifest.pluginId === undefined ? pluginSlug(manifest.name) : null
  const [row] =
    slug === null
      ? await call.parts.db.read('SELECT id FROM plugins WHERE account_id = ? AND id = ?', [
          accountId,
          manifest.pluginId ?? '',
        ])
      : await call.parts.db.read('SELECT id FROM plugins WHERE account_id = ? AND slug = ?', [accountId, slug])
  if (row !== undefined) return { id: String(row['id']), isNew: false, writes: [] }
  const id = manifest.pluginId ?? call.newId('plugin')
  return {
    id,
    isNew: true,
    writes: [
      {
        sql: 'INSERT INTO plugins (account_id, id, slug, created_at) VALUES (?, ?, ?, ?)',
        params: [accountId, id, slug, call.nowMs],
      },
    ],
  }
}
