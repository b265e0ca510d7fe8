import {
  type Funnel,
  FUNNEL_STEPS_MAX,
  type FunnelStep,
  type NewDeployment,
  type PluginManifest,
} from '@tillwright/contract'
import { emit } from '../events/index.ts'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError, inStore, missing, requireUnarchived } from '../runtime/index.ts'
import { findFunnel, pageForStep, replaceFunnel } from './funnel-rows.ts'

/** A plugin whose page a step shall show. */
export interface StepPlugin {
  pluginId: string
  storeId: string
  manifest: PluginManifest
}

/**
 * The statements that add a step with a plugin's page to the end of a funnel; none when the funnel has a step of that
 * plugin and type already.
 *
 * @throws {ApiError} `resource_missing` when the store has no such funnel, `state_conflict` when that is full.
 */
export async function addPluginStep(
  { funnelId, stepType, isPreview }: NonNullable<NewDeployment['autoInstantiate']>,
  { pluginId, storeId, manifest }: StepPlugin,
  context: RequestContext,
): Promise<Write[]> {
  const param = 'autoInstantiate.funnelId'
  const stored = await findFunnel(funnelId, context.caller.accountId, context.services.db)
  if (stored === null || stored.funnel.storeId !== storeId) throw missing('funnel', funnelId, inStore(storeId, param))
  const { funnel } = stored
  requireUnarchived('funnel', funnel, param)
  if (funnel.steps.some((step) => step.pluginId === pluginId && step.type === stepType)) return []
  if (funnel.steps.length === FUNNEL_STEPS_MAX) {
    const message = `The funnel has ${FUNNEL_STEPS_MAX} steps, the maximum; remove one first.`
    throw new ApiError('state_conflict', message, { param })
  }
  const page = pageForStep(stepType, manifest.pages)
  const step: FunnelStep = {
    id: context.newId('step'),
    type: stepType,
    name: page?.name ?? manifest.name,
    path: freePath(stepType, funnel),
    isEntry: false,
    pluginId,
    pageId: page?.id ?? null,
    settings: {},
    previewOnly: isPreview,
  }
  const revision = funnel.revision + 1
  const updatedAt = new Date(context.nowMs).toISOString()
  const changed = { ...funnel, steps: [...funnel.steps, step], revision, updatedAt }
  const properties = { funnelId, name: funnel.name, archived: false, revision, changed: ['steps'] }
  return [...replaceFunnel(changed), ...emit('s_funnel_updated', { storeId, properties }, context)]
}

/** `/checkout`, or `/checkout-2` where that is taken. */
function freePath(stepType: string, { steps }: Funnel): string {
  const taken = new Set(steps.map(({ path }) => path))
  for (let count = 1; ; count++) {
    const path = count === 1 ? `/${stepType}` : `/${stepType}-${count}`
    if (!taken.has(path)) return path
  }
}
