import { isDeepStrictEqual } from 'node:util'
import type { Contract, Funnel, FunnelStep, FunnelUpdate, FunnelVariant, NewFunnel } from '@tillwright/contract'
import { findVariants } from '../catalog/index.ts'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, readList } from '../lists/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { inStore, missing } from '../runtime/index.ts'
import { findFunnel, funnelList, insertFunnel, replaceFunnel, type StoredFunnel } from './funnel-rows.ts'
import { previewSession, updatePreview } from './previews.ts'

/** Funnels, in addition to the public API, and their previews within it. */
export const funnels: Handlers<Contract['funnels']> = {
  previewSession,
  updatePreview,

  async create({ body }, context) {
    await requirePlugins(body.steps, context)
    await requireOffered(body.steps, body.storeId, context)
    const { funnel, writes } = funnelWrites(body, context)
    return { body: funnel, writes }
  },

  async get({ params: { funnelId } }, context) {
    return { body: (await storedFunnel(funnelId, context)).funnel }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { storeId, q } = query
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'funnels', resource: 'funnel', accountId, db })
    return { body: await readList(funnelList, { accountId, query, filters: equalTo('store_id', storeId), anyOf }, db) }
  },

  async update({ params: { funnelId }, body }, context) {
    const { funnel: before, revision } = await storedFunnel(funnelId, context)
    await requirePlugins(body.steps ?? [], context)
    await requireOffered(body.steps ?? [], before.storeId, context)
    const merged = mergeFunnel(before, body, context)
    if (isDeepStrictEqual(merged, before)) return { body: before }
    const funnel = { ...merged, updatedAt: new Date(context.nowMs).toISOString() }
    return {
      body: funnel,
      writes: [...replaceFunnel(funnel, revision), ...emitFunnelEvent('s_funnel_updated', funnel, context)],
      change: { before },
    }
  },
}

/** The statements that record a funnel and its event. The first one's guard is that the store exists. */
export function funnelWrites(body: NewFunnel, context: RequestContext): { funnel: Funnel; writes: Write[] } {
  const funnel = buildFunnel(body, context)
  return { funnel, writes: [...insertFunnel(funnel), ...emitFunnelEvent('s_funnel_created', funnel, context)] }
}

async function storedFunnel(funnelId: string, { caller, services }: RequestContext): Promise<StoredFunnel> {
  const stored = await findFunnel(funnelId, caller.accountId, services.db)
  if (stored === null) throw missing('funnel', funnelId, 'funnelId')
  return stored
}

function emitFunnelEvent(
  type: 's_funnel_created' | 's_funnel_updated',
  { id, storeId, name }: Funnel,
  context: RequestContext,
): Write[] {
  return emit(type, { storeId, properties: { funnelId: id, name } }, context)
}

/** The part of a call that a funnel is built with. */
export type Building = Pick<RequestContext, 'nowMs' | 'newId'> & { caller: { accountId: string } }

/** A new funnel, with ids for what came without one. */
function buildFunnel(body: NewFunnel, building: Building): Funnel {
  const now = new Date(building.nowMs).toISOString()
  return {
    id: body.id ?? building.newId('funnel'),
    accountId: building.caller.accountId,
    storeId: body.storeId,
    name: body.name,
    active: body.active,
    steps: buildSteps(body.steps, building),
    variants: buildVariants(body.variants, building),
    createdAt: now,
    updatedAt: now,
  }
}

/** The funnel after an update: what it leaves out stays, lists are replaced whole. */
function mergeFunnel(funnel: Funnel, update: FunnelUpdate, building: Building): Funnel {
  return {
    ...funnel,
    name: update.name ?? funnel.name,
    active: update.active ?? funnel.active,
    steps: update.steps === undefined ? funnel.steps : buildSteps(update.steps, building),
    variants: update.variants === undefined ? funnel.variants : buildVariants(update.variants, building),
  }
}

/** The entry is the step that says so, else the first one. */
function buildSteps(steps: NewFunnel['steps'], { newId }: Building): FunnelStep[] {
  const marked = steps.findIndex((step) => step.isEntry === true)
  const entry = marked === -1 ? 0 : marked
  return steps.map((step, index) => ({ ...step, id: step.id ?? newId('step'), isEntry: index === entry }))
}

function buildVariants(variants: NewFunnel['variants'], { newId }: Building): FunnelVariant[] {
  return variants.map((variant) => ({ ...variant, id: variant.id ?? newId('fvar') }))
}

/** @throws {ApiError} `resource_missing` with the path of the first step whose plugin the account does not have. */
async function requirePlugins(
  steps: readonly Pick<FunnelStep, 'pluginId'>[],
  { caller, services }: RequestContext,
): Promise<void> {
  const wanted = new Set(steps.flatMap(({ pluginId }) => pluginId ?? []))
  if (wanted.size === 0) return
  const marks = Array.from(wanted, () => '?').join(', ')
  const rows = await services.db.read(`SELECT id FROM plugins WHERE account_id = ? AND id IN (${marks})`, [
    caller.accountId,
    ...wanted,
  ])
  const known = new Set(rows.map(({ id }) => id))
  for (const [index, { pluginId }] of steps.entries()) {
    if (pluginId === null || known.has(pluginId)) continue
    throw missing('plugin', pluginId, `steps[${index}].pluginId`)
  }
}

/** @throws {ApiError} `resource_missing` with the path of the first variant on offer that the store does not have. */
async function requireOffered(
  steps: readonly Pick<FunnelStep, 'offer'>[],
  storeId: string,
  { caller: { accountId }, services }: RequestContext,
): Promise<void> {
  const offered = steps.flatMap(({ offer }) => offer?.map(({ variantId }) => variantId) ?? [])
  const known = await findVariants([...new Set(offered)], { storeId, accountId }, services.db)
  for (const [index, { offer }] of steps.entries()) {
    for (const [place, { variantId }] of (offer ?? []).entries()) {
      if (known.has(variantId)) continue
      throw missing('variant', variantId, inStore(storeId, `steps[${index}].offer[${place}].variantId`))
    }
  }
}
