import { setImmediate } from 'node:timers/promises'
import type { ConfigSync, Contract, ResponseOf, TemplatesSync } from '@tillwright/contract'
import type { RequestContext, Handler, Reply, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { inOpenStore } from '../../catalog/index.ts'
import { requireEditable } from '../deployments/index.ts'
import { forgetOldest } from './history.ts'
import { changesOf, mergeAll, type MergedSettings } from './merge.ts'
import { dotted, type PresetChecker, presetVerdict, refuseInvalid } from './presets.ts'
import { refuseOtherRevision, refuseTooLarge, refuseTooMany, revisionWrites } from './revisions.ts'
import { readBases, readLive, settingsOf, type StoredSetting } from './settings.ts'

type Synced = ResponseOf<Contract['plugins']['syncConfig']>

/** Source: reference, "POST /plugins/v2/deployment/sync-config". */
export function syncConfig(presets: PresetChecker): Handler<Contract['plugins']['syncConfig']> {
  return async ({ body }, context) => {
    const settings = [...single('schema', body), ...single('uiSchema', body), ...named('preset', body.presets ?? {})]
    return sync({ sent: settings, options: body }, context, presets)
  }
}

/** Source: reference, "POST /plugins/v2/deployment/sync-templates". */
export function syncTemplates(presets: PresetChecker): Handler<Contract['plugins']['syncTemplates']> {
  return async ({ body }, context) => sync({ sent: named('template', body.templates), options: body }, context, presets)
}

function single(kind: 'schema' | 'uiSchema', body: ConfigSync): StoredSetting[] {
  const value = body[kind]
  return value === undefined ? [] : [{ kind, name: kind, value }]
}

function named(kind: 'preset' | 'template', sent: Record<string, Record<string, unknown>>): StoredSetting[] {
  return Object.entries(sent).map(([name, value]) => ({ kind, name, value }))
}

type Options = Pick<TemplatesSync, 'deploymentId' | 'strategy' | 'dryRun' | 'expectedRevision' | 'force'>

/**
 * Merges what the author sends into what is live, and stores what differs as a new revision; former values stay on record
 * under their own.
 */
async function sync(
  { sent, options }: { sent: readonly StoredSetting[]; options: Options },
  context: RequestContext,
  presets: PresetChecker,
): Promise<Reply<Synced>> {
  const { deploymentId, strategy, dryRun, force } = options
  const key = { accountId: context.caller.accountId, deploymentId }
  const deployment = await requireEditable(deploymentId, context)
  const live = await readLive(key, context.services.db)
  refuseOtherRevision(options.expectedRevision, live.revision)
  const standing = settingsOf(live)
  const bases = await readBases(key, context.services.db)
  const merged = mergeAll({ sent, standing, bases }, strategy)
  const changed = changesOf(merged.live, standing)
  await setImmediate() // others have their turn: the settings may be large
  refuseTooMany(changed, live)
  refuseTooLarge(merged.bases, bases)
  const invalid = await presetVerdict({ live, changed }, key.accountId, presets)
  const revision = changed.length === 0 ? live.revision : live.revision + 1
  const { conflicts } = merged
  const body: Synced = {
    success: true,
    deploymentId,
    revision,
    updated: changed.map(({ name }) => name),
    conflicts: [...conflicts],
    dryRun,
    invalid,
  }
  if (dryRun) return { body }
  if (strategy === 'strict' && conflicts.length > 0) throw inConflict(merged)
  if (!force) refuseInvalid(invalid, changed)
  const change = { deployment, revision, source: 'author' as const, changed, bases: merged.bases, formerBases: bases }
  const writes = [
    ...revisionWrites(change, context),
    ...orderWrites({ ...key, sent, bases }),
    ...(await forgetOldest({ ...key, revision, changed }, context.services.db)),
  ]
  return { body, writes: inOpenStore(writes, { storeId: deployment.storeId, param: 'deploymentId' }, context) }
}

interface Ordering {
  accountId: string
  deploymentId: string
  sent: readonly StoredSetting[]
  bases: readonly StoredSetting[]
}

/** The statements that put presets and templates into the author's order, as far as it has changed. */
function orderWrites({ accountId, deploymentId, sent, bases }: Ordering): Write[] {
  return (['preset', 'template'] as const).flatMap((kind) => {
    const namesIn = (settings: readonly StoredSetting[]) =>
      settings.filter((each) => each.kind === kind).map(({ name }) => name)
    const before = namesIn(bases)
    return inOrder(before, namesIn(sent)).flatMap((name, position) =>
      before[position] === name
        ? []
        : {
            sql: `UPDATE plugin_setting_bases SET position = ?
              WHERE account_id = ? AND deployment_id = ? AND kind = ? AND name = ?`,
            params: [position, accountId, deploymentId, kind, name],
          },
    )
  })
}

/**
 * The order of names after some of them were sent, in an order of their own: they share the places that they had, and a
 * new one follows the one before it.
 */
export function inOrder(before: readonly string[], sent: readonly string[]): string[] {
  const moved = sent.filter((name) => before.includes(name)).values()
  const order = before.map((name) => (sent.includes(name) ? (moved.next().value ?? name) : name))
  for (const [index, name] of sent.entries()) {
    if (order.includes(name)) continue
    const previous = sent[index - 1]
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, name)
  }
  return order
}

function inConflict({ conflicts }: MergedSettings): ApiError {
  const paths = conflicts.map((pointer) => dotted(pointer).slice(1))
  const issues = paths.map((path) => ({
    path,
    message: 'has been changed by the merchant too',
    code: 'state_conflict',
  }))
  return new ApiError(
    'state_conflict',
    `Author and merchant have both changed ${paths.join(', ')}; nothing was written. Send another strategy, or the merchant's values.`,
    { param: 'strategy', issues },
  )
}

/** A deployment takes over all settings of another one, with all that they were: it stands for the same version. */
export function takeOverSettings(from: string, to: string, { caller }: Pick<RequestContext, 'caller'>): Write[] {
  const params = [to, caller.accountId, from]
  return [
    {
      sql: `INSERT INTO plugin_revisions (account_id, deployment_id, revision, source, changed_by, created_at)
        SELECT account_id, ?, revision, source, changed_by, created_at FROM plugin_revisions
        WHERE account_id = ? AND deployment_id = ?`,
      params,
    },
    {
      sql: `INSERT INTO plugin_settings (account_id, deployment_id, kind, name, revision, hash, value)
        SELECT account_id, ?, kind, name, revision, hash, value FROM plugin_settings
        WHERE account_id = ? AND deployment_id = ?`,
      params,
    },
    { sql: copyBases('?'), params },
  ]
}

/**
 * A new version begins with the settings of the one that its store uses, as they are live, so that no edit of the merchant's
 * is lost; what they were stays with the other. They are one revision, of the same number. Comes before the new one is
 * active, and behind `holdSwitch`.
 */
export function carrySettings(
  { id, storeId, pluginId }: { id: string; storeId: string; pluginId: string },
  { caller, nowMs }: Pick<RequestContext, 'caller' | 'nowMs'>,
): Write[] {
  const { accountId, actor } = caller
  const source = [accountId, accountId, storeId, pluginId]
  return [
    {
      sql: `INSERT INTO plugin_revisions (account_id, deployment_id, revision, source, changed_by, created_at)
        SELECT account_id, ?, MAX(revision), 'carried', CAST(? AS TEXT), CAST(? AS BIGINT) FROM plugin_revisions
        WHERE account_id = ? AND deployment_id = ${usedOne} GROUP BY account_id`,
      params: [id, actor.id, nowMs, ...source],
    },
    {
      sql: `INSERT INTO plugin_settings (account_id, deployment_id, kind, name, revision, hash, value)
        SELECT s.account_id, ?, s.kind, s.name, r.revision, s.hash, s.value FROM plugin_settings s
        JOIN plugin_revisions r ON r.account_id = s.account_id AND r.deployment_id = ?
        WHERE s.account_id = ? AND s.deployment_id = ${usedOne} AND s.revision = (
          SELECT MAX(o.revision) FROM plugin_settings o WHERE o.account_id = s.account_id
            AND o.deployment_id = s.deployment_id AND o.kind = s.kind AND o.name = s.name)`,
      params: [id, id, ...source],
    },
    { sql: copyBases(usedOne), params: [id, ...source] },
  ]
}

/** In SQL: the deployment of a plugin that a store uses. */
const usedOne = `(SELECT a.deployment_id FROM plugin_activations a
  WHERE a.account_id = ? AND a.store_id = ? AND a.plugin_id = ?)`

const copyBases = (from: string) => `INSERT INTO plugin_setting_bases
    (account_id, deployment_id, kind, name, value, sent, position)
  SELECT account_id, ?, kind, name, value, sent, position FROM plugin_setting_bases
  WHERE account_id = ? AND deployment_id = ${from}`
