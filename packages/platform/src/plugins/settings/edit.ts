import type { Contract, SettingsUpdate } from '@tillwright/contract'
import { inOpenStore } from '../../catalog/index.ts'
import { mergePatch } from '../../changes/index.ts'
import type { RequestContext, Handler } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { type Deployment, requireAny, requireEditable } from '../deployments/index.ts'
import { forgetOldest } from './history.ts'
import { changesOf, conflictsOf, pointerOf, resolveConflicts } from './merge.ts'
import { type PresetChecker, presetVerdict, refuseInvalid } from './presets.ts'
import { refuseOtherRevision, refuseTooMany, revisionWrites, type SettingsChange } from './revisions.ts'
import { type LiveSettings, readBases, readLive, settingsOf, type StoredSetting } from './settings.ts'

type Management = Contract['pluginManagement']

/** Reads the settings of a deployment: as they are live, or as they were when another one took its place. */
export const readSettings: Handler<Management['settings']> = async ({ params, query }, context) => {
  const { deploymentId } = params
  await requireAny(deploymentId, context)
  const key = { accountId: context.caller.accountId, deploymentId }
  const { revision } = query
  const live = await readLive({ ...key, ...(revision !== undefined && { revision }) }, context.services.db)
  if (revision !== undefined && live.revision !== revision) throw noSuchRevision(revision, live)
  const bases = revision === undefined ? await readBases(key, context.services.db) : []
  const conflicts = conflictsOf(bases, settingsOf(live))
  return { body: { deploymentId, ...live, presets: { ...live.presets }, templates: { ...live.templates }, conflicts } }
}

/** Stores what the merchant edits. It is no synchronisation, so that the next one finds it changed. */
export function updateSettings(presets: PresetChecker): Handler<Management['updateSettings']> {
  return async ({ body }, context) => {
    const { live, deployment } = await liveOf(body.deploymentId, context)
    refuseOtherRevision(body.expectedRevision, live.revision)
    const changed = changesOf(edited(body, live), settingsOf(live))
    refuseTooMany(changed, live)
    refuseUnknownPreset(body, live)
    if (!body.force) refuseInvalid(await presetVerdict({ live, changed }, context.caller.accountId, presets), changed)
    return reply({ deployment, live, changed, ...(await decided(body, live, context)), source: 'merchant' }, context)
  }
}

/** Brings all settings back to what they were at a revision, those that came later taken away. */
export const restoreSettings: Handler<Management['restoreSettings']> = async ({ body }, context) => {
  const { deploymentId, revision } = body
  const { live, deployment } = await liveOf(deploymentId, context)
  const key = { accountId: context.caller.accountId, deploymentId }
  const then = await readLive({ ...key, revision }, context.services.db)
  if (then.revision !== revision) throw noSuchRevision(revision, live)
  const former = settingsOf(then)
  const isFormer = (each: StoredSetting) => former.some(({ kind, name }) => kind === each.kind && name === each.name)
  const gone = settingsOf(live).filter((each) => !isFormer(each))
  const wanted = [...former, ...gone.map((each) => ({ ...each, value: null }))]
  const changed = changesOf(wanted, settingsOf(live))
  return reply({ deployment, live, changed, bases: [], formerBases: [], source: 'restore' }, context)
}

async function liveOf(
  deploymentId: string,
  context: RequestContext,
): Promise<{ live: LiveSettings; deployment: Deployment }> {
  const deployment = await requireEditable(deploymentId, context)
  return {
    live: await readLive({ accountId: context.caller.accountId, deploymentId }, context.services.db),
    deployment,
  }
}

/** The bases that change once the merchant has decided conflicts, with the former ones. */
async function decided(
  { deploymentId, resolved = [] }: SettingsUpdate,
  live: LiveSettings,
  { caller: { accountId }, services }: RequestContext,
): Promise<Pick<Edit, 'bases' | 'formerBases'>> {
  if (resolved.length === 0) return { bases: [], formerBases: [] }
  const formerBases = await readBases({ accountId, deploymentId }, services.db)
  return { bases: resolveConflicts(formerBases, { standing: settingsOf(live), resolved }), formerBases }
}

function edited({ presets = {}, templates = {}, activePreset }: SettingsUpdate, live: LiveSettings): StoredSetting[] {
  const patched = (kind: 'preset' | 'template', patches: Patches, standing: LiveSettings['presets']) =>
    Object.entries(patches).map(([name, patch]) => {
      const target = Object.hasOwn(standing, name) ? standing[name] : undefined
      return { kind, name, value: patch === null ? null : mergePatch(target, patch) }
    })
  return [
    ...patched('preset', presets, live.presets),
    ...patched('template', templates, live.templates),
    ...(activePreset === undefined
      ? []
      : [{ kind: 'activePreset' as const, name: 'activePreset', value: { preset: activePreset } }]),
  ]
}

type Patches = NonNullable<SettingsUpdate['presets']>

/** Of the preset that pages are to show. */
function refuseUnknownPreset({ activePreset, presets = {} }: SettingsUpdate, live: LiveSettings): void {
  const shown = activePreset ?? live.activePreset
  if (shown !== null && Object.hasOwn(presets, shown) && presets[shown] === null) {
    const message = `The pages show the preset '${shown}'; choose another with activePreset before it is removed.`
    throw new ApiError('parameter_invalid', message, { param: 'presets' })
  }
  if (activePreset === undefined || Object.hasOwn({ ...live.presets, ...presets }, activePreset)) return
  throw new ApiError('parameter_invalid', `There is no preset '${activePreset}'; choose one of the deployment's.`, {
    param: 'activePreset',
  })
}

interface Edit extends Pick<SettingsChange, 'changed' | 'bases' | 'formerBases'> {
  deployment: Deployment
  live: LiveSettings
  source: 'merchant' | 'restore'
}

async function reply({ deployment, live, ...edit }: Edit, context: RequestContext) {
  const { changed } = edit
  const { id: deploymentId, storeId } = deployment
  const revision = changed.length === 0 ? live.revision : live.revision + 1
  const body = { success: true as const, deploymentId, revision, updated: changed.map(pointerOf) }
  const recorded = revisionWrites({ deployment, revision, ...edit }, context)
  const { accountId } = context.caller
  const writes = [
    ...recorded,
    ...(await forgetOldest({ accountId, deploymentId, revision, changed }, context.services.db)),
  ]
  return { body, writes: inOpenStore(writes, { storeId, param: 'deploymentId' }, context) }
}

function noSuchRevision(revision: number, live: LiveSettings): ApiError {
  const message =
    revision > live.revision
      ? `There is no revision ${revision}; the last one is ${live.revision}.`
      : `Revision ${revision} is not kept any more, or was another deployment's; choose one of those that are listed.`
  return new ApiError('parameter_invalid', message, { param: 'revision' })
}
