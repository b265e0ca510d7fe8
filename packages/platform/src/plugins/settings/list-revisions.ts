import type { Contract, ResponseOf } from '@tillwright/contract'
import { NEWEST, readCursor, writeCursor } from '../../ambient/page-cursor.ts'
import type { Handler } from '../../call.ts'
import { requireDeployment } from '../deployments/deployments.ts'
import type { SettingKind } from './live-settings.ts'
import { pointerOf } from './setting-pointer.ts'

type Revision = ResponseOf<Contract['pluginManagement']['revisions']>['data'][number]

/** Lists the revisions of a deployment's settings, newest first. A cursor tells a number where others tell a time. */
export const listRevisions: Handler<Contract['pluginManagement']['revisions']> = async (
  { query: { deploymentId, limit, after } },
  call,
) => {
  await requireDeployment(deploymentId, call)
  const key = [call.caller.accountId, deploymentId]
  const before = after === undefined ? NEWEST.createdAtMs : readCursor(after).createdAtMs
  // One more than asked for tells whether there is a next page.
  const rows = await call.parts.db.read(selectRevisions, [...key, before, limit + 1])
  const shown = rows.slice(0, limit).map((row) => ({
    revision: Number(row['revision']),
    source: String(row['source']) as Revision['source'], // written from this type alone
    createdAt: new Date(Number(row['created_at'])).toISOString(),
  }))
  const last = shown.at(-1)
  const changes = await call.parts.db.read(selectChanges, [...key, last?.revision ?? 0, before])
  const changedIn = (revision: number) =>
    changes
      .filter((row) => row['revision'] === revision)
      .map((row) => pointerOf({ kind: String(row['kind']) as SettingKind, name: String(row['name']) })) // as written
  const hasMore = rows.length > limit && last !== undefined
  const nextCursor = hasMore ? writeCursor({ createdAtMs: last.revision, id: 'revision' }) : null
  const data = shown.map((each) => ({ ...each, changed: changedIn(each.revision) }))
  return { body: { data, hasMore, nextCursor } }
}

const selectRevisions = `SELECT revision, source, created_at FROM plugin_revisions
  WHERE account_id = ? AND deployment_id = ? AND revision < ? ORDER BY revision DESC LIMIT ?`

const selectChanges = `SELECT revision, kind, name FROM plugin_settings
  WHERE account_id = ? AND deployment_id = ? AND revision >= ? AND revision < ? ORDER BY kind, name`
