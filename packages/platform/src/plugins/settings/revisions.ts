import { hash } from 'node:crypto'
import {
  type Contract,
  countValues,
  PRESETS_MAX,
  type ResponseOf,
  SETTINGS_MAX_BYTES,
  SETTINGS_MAX_VALUES,
} from '@tillwright/contract'
import { canonicalJson } from '@tillwright/contract/json'
import { emit } from '../../events/index.ts'
import { actorNames } from '../../members/index.ts'
import type { RequestContext, Handler, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { pick, readPage, type Row, rowReader } from '../../storage/index.ts'
import { type Deployment, holdStanding, requireDeployment } from '../deployments/index.ts'
import { pluginRevisionsTable, pluginSettingsTable } from '../tables.ts'
import { pointerOf } from './merge.ts'
import { type LiveSettings, type SettingBase, settingsOf, type Settings, type StoredSetting } from './settings.ts'

/** A change of settings to be recorded. */
export interface SettingsChange {
  deployment: Pick<Deployment, 'id' | 'storeId' | 'pluginId' | 'version'>
  /** The number of the revision, if anything that is live has changed. */
  revision: number
  /** What is carried from another deployment is told of by no event of its own. */
  source: 'author' | 'merchant' | 'restore' | 'carried'
  changed: readonly StoredSetting[]
  /** The author's bases that change. */
  bases: readonly SettingBase[]
  /** The bases that were read, and from which the new ones are made. */
  formerBases: readonly SettingBase[]
}

/**
 * A number is taken once, and what the author has sent is replaced where it is what was read: a second change at the same
 * time loses the race and looks again, and so does one whose deployment is overwritten meanwhile.
 */
export function revisionWrites(change: SettingsChange, context: RequestContext): Write[] {
  const { deployment, revision, source, changed, bases, formerBases } = change
  const { id: deploymentId, storeId, pluginId, version } = deployment
  const { accountId, actor } = context.caller
  const revisions = {
    sql: `INSERT INTO plugin_revisions (account_id, deployment_id, revision, source, changed_by, created_at)
      VALUES (?, ?, ?, ?, ?, ?)`,
    params: [accountId, deploymentId, revision, source, actor.id, context.nowMs],
  }
  const properties = { pluginId, deploymentId, version, revision }
  const events =
    source === 'carried'
      ? []
      : emit('s_plugin_settings_updated', { storeId, properties: { ...properties, source } }, context)
  return [
    ...(changed.length + bases.length === 0 ? [] : [holdStanding(deployment, context)]),
    ...(changed.length === 0 ? [] : [revisions]),
    // Conflicts come and go without a revision.
    ...(changed.length + bases.length === 0 ? [] : events),
    ...changed.map(({ kind, name, value }) => ({
      sql: `INSERT INTO plugin_settings (account_id, deployment_id, kind, name, revision, hash, value)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      params: [accountId, deploymentId, kind, name, revision, canonicalHash(value), JSON.stringify(value)],
    })),
    ...bases.map((base) =>
      baseWrite(
        base,
        formerBases.find((each) => placeOf(each) === placeOf(base)),
        { accountId, deploymentId },
      ),
    ),
  ]
}

/** Changes of what the author has sent may come without a revision, whose number would be taken once. */
function baseWrite(
  { kind, name, value, sent }: SettingBase,
  former: SettingBase | undefined,
  { accountId, deploymentId }: { accountId: string; deploymentId: string },
): Write {
  const place = [accountId, deploymentId, kind, name]
  const next = [JSON.stringify(value), JSON.stringify(sent)]
  if (former === undefined) return { sql: insertBase, params: [...place, ...next], expect: 1 }
  // As they are stored: JSON that was read is written the same.
  const read = [JSON.stringify(former.value), JSON.stringify(former.sent)]
  return { sql: replaceBase, params: [...next, ...place, ...read], expect: 1 }
}

const insertBase = `INSERT INTO plugin_setting_bases (account_id, deployment_id, kind, name, value, sent)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
const replaceBase = `UPDATE plugin_setting_bases SET value = ?, sent = ?
  WHERE account_id = ? AND deployment_id = ? AND kind = ? AND name = ? AND value = ? AND sent = ?`

type Revision = ResponseOf<Contract['pluginManagement']['revisions']>['data'][number]

/** Lists the revisions of a deployment's settings, newest first. */
export const listRevisions: Handler<Contract['pluginManagement']['revisions']> = async (
  { query: { deploymentId, ...wanted } },
  context,
) => {
  await requireDeployment(deploymentId, context)
  const { db } = context.services
  const params = [context.caller.accountId, deploymentId]
  const page = await readPage({ sql: selectRevisions, params, ...newestRevisionFirst, read: revisionsFrom }, wanted, db)
  const [newest, oldest] = [page.data.at(0), page.data.at(-1)]
  const changes = readChanges(await db.read(selectChanges, [...params, oldest?.revision ?? 0, newest?.revision ?? 0]))
  const changedIn = (revision: number) => changes.filter((row) => row.revision === revision).map(pointerOf)
  const people = [...new Set(page.data.map(({ changedBy }) => changedBy))]
  const names = await actorNames(people, context.caller, db)
  const data = page.data.map((each) => ({
    ...each,
    changed: changedIn(each.revision),
    changedByName: names.get(each.changedBy) ?? null,
  }))
  return { body: { ...page, data } }
}

function revisionsFrom(rows: readonly Row[]): Omit<Revision, 'changed' | 'changedByName'>[] {
  return readRevisions(rows).map(({ revision, source, changed_by, created_at }) => ({
    revision,
    source,
    changedBy: changed_by,
    createdAt: new Date(created_at).toISOString(),
  }))
}

const newestRevisionFirst = { key: [{ name: 'revision', type: 'integer' }], order: 'descending' } as const

const selectRevisions = `SELECT revision, source, changed_by, created_at FROM plugin_revisions
  WHERE account_id = ? AND deployment_id = ?`
const readRevisions = rowReader(pick(pluginRevisionsTable, 'revision', 'source', 'changed_by', 'created_at'))

const selectChanges = `SELECT revision, kind, name FROM plugin_settings
  WHERE account_id = ? AND deployment_id = ? AND revision >= ? AND revision <= ? ORDER BY kind, name`
const readChanges = rowReader(pick(pluginSettingsTable, 'revision', 'kind', 'name'))

/** @throws {ApiError} 409 of `expectedRevision` when the settings have moved on. */
export function refuseOtherRevision(expected: number | undefined, revision: number): void {
  if (expected === undefined || expected === revision) return
  throw new ApiError(
    'state_conflict',
    `The settings are at revision ${revision}, not ${expected}; read them again, then send what is still meant.`,
    { param: 'expectedRevision' },
  )
}

/** @throws {ApiError} 400 when a deployment would have more presets or templates than it may, or larger settings. */
export function refuseTooMany(changed: readonly StoredSetting[], live: LiveSettings): void {
  refuseTooLarge(changed, settingsOf(live))
  for (const kind of ['preset', 'template'] as const) {
    const names = new Set(Object.keys(kind === 'preset' ? live.presets : live.templates))
    for (const each of changed) if (each.kind === kind && each.value !== null) names.add(each.name)
    if (names.size <= PRESETS_MAX) continue
    const message = `The deployment would have ${names.size} ${kind}s; it can have at most ${PRESETS_MAX}.`
    throw new ApiError('parameter_invalid', message, { param: `${kind}s` })
  }
}

/**
 * All settings are read with every change of one of them, so that they are bounded together.
 *
 * @throws {ApiError} 400 when the standing settings would be larger than they may, with the changes in their places.
 */
export function refuseTooLarge(changed: readonly StoredSetting[], standing: readonly StoredSetting[]): void {
  if (changed.length === 0) return
  const isChanged = new Set(changed.map(placeOf))
  const after = [...changed, ...standing.filter((each) => !isChanged.has(placeOf(each)))]
  const sizes = after.map(({ value }) => sizeOf(value))
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0)
  const values = sizes.reduce((sum, size) => sum + size.values, 0)
  if (bytes <= SETTINGS_MAX_BYTES && values <= SETTINGS_MAX_VALUES) return
  throw new ApiError(
    'parameter_invalid',
    `The settings of the deployment would have ${bytes} bytes as JSON and ${values} values; together they can have at most ${SETTINGS_MAX_BYTES} bytes and ${SETTINGS_MAX_VALUES} values.`,
  )
}

/** Caches sizes by object: the live value and the last synchronised one are usually the same object. */
const known = new WeakMap<object, { bytes: number; values: number }>()

function sizeOf(value: Settings | null): { bytes: number; values: number } {
  if (value === null) return { bytes: 0, values: 0 }
  const size = known.get(value) ?? { bytes: Buffer.byteLength(JSON.stringify(value)), values: countValues(value) }
  known.set(value, size)
  return size
}

function placeOf({ kind, name }: StoredSetting): string {
  return `${kind} ${name}`
}

/** SHA-256, in hexadecimal, of a JSON value; the order of an object's names does not matter. */
export function canonicalHash(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}
