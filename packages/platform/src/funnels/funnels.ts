import type { Contract, Funnel, FunnelStep, FunnelUpdate, FunnelVariant, NewFunnel } from '@tillwright/contract'
import { findVariants, requireOpenStore } from '../catalog/index.ts'
import { archiving, type Changed, changed } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, readList } from '../lists/index.ts'
import type { RequestContext, Handlers, Reply, Write } from '../request-context.ts'
import { inStore, missing } from '../runtime/index.ts'
import { findFunnel, funnelList, insertFunnel, replaceFunnel, type StoredFunnel } from './funnel-rows.ts'
import { previewSession, updatePreview } from './previews.ts'

/** Funnels, in addition to the public API, and their previews within it. */
export const funnels: Handlers<Contract['funnels']> = {
  previewSession,
  updatePreview,

  async create({ body }, context) {
    await requireOpenStore(body.storeId, context)
    await requirePlugins(body.steps, context)
    await requireOffered(body.steps, body.storeId, context)
    const { funnel, writes } = funnelWrites(body, context)
    return { body: funnel, writes }
  },

  async get({ params: { funnelId } }, context) {
    return { body: (await storedFunnel(funnelId, context)).funnel }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { storeId, archived = false, q } = query
    const filters = [...equalTo('store_id', storeId), ...equalTo('archived', archived)]
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'funnels', resource: 'funnel', accountId, db })
    return { body: await readList(funnelList, { accountId, query, filters, anyOf }, db) }
  },

  async update({ params: { funnelId }, body }, context) {
    const { funnel: before } = await storedFunnel(funnelId, context)
    await requirePlugins(body.steps ?? [], context)
    await requireOffered(body.steps ?? [], before.storeId, context)
    // Optional here only: this update is older than revisions are.
    const revision = body.revision ?? (context.ifMatch === undefined ? before.revision : undefined)
    const sent = { ...changesOf(body, before, context), revision }
    return changeReply(before, changed({ what: 'funnel', current: before, sent }, context), context)
  },

  async archive({ params: { funnelId }, body: sent }, context) {
    const { funnel: current } = await storedFunnel(funnelId, context)
    return changeReply(current, archiving(true, { what: 'funnel', current, sent }, context), context)
  },

  async unarchive({ params: { funnelId }, body: sent }, context) {
    const { funnel: current } = await storedFunnel(funnelId, context)
    return changeReply(current, archiving(false, { what: 'funnel', current, sent }, context), context)
  },
}

function changeReply(before: Funnel, change: Changed<Funnel> | null, context: RequestContext): Reply<Funnel> {
  if (change === null) return { body: before }
  const { resource: funnel, fields } = change
  const { id, storeId, name, archived, revision } = funnel
  const properties = { funnelId: id, name, archived, revision, changed: fields }
  const writes = [...replaceFunnel(funnel), ...emit('s_funnel_updated', { storeId, properties }, context)]
  return { body: funnel, writes, change: { before, after: funnel } }
}

/** The statements that record a funnel and its event. The first one's guard is that the store is open. */
export function funnelWrites(body: NewFunnel, context: RequestContext): { funnel: Funnel; writes: Write[] } {
  const funnel = buildFunnel(body, context)
  return {
    funnel,
    writes: [
      ...insertFunnel(funnel),
      ...emit(
        's_funnel_created',
        { storeId: funnel.storeId, properties: { funnelId: funnel.id, name: funnel.name } },
        context,
      ),
    ],
  }
}

async function storedFunnel(funnelId: string, { caller, services }: RequestContext): Promise<StoredFunnel> {
  const stored = await findFunnel(funnelId, caller.accountId, services.db)
  if (stored === null) throw missing('funnel', funnelId, 'funnelId')
  return stored
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
    archived: false,
    revision: 1,
    updatedAt: now,
  }
}

/**
 * The fields of a funnel that an update names: lists are replaced whole. A step that comes without its id keeps the one of
 * the step with its path, at which buyers are.
 */
function changesOf({ name, active, steps, variants }: FunnelUpdate, before: Funnel, building: Building) {
  const isSent = (known: string) => steps?.some(({ id }) => id === known) === true
  const idOf = new Map(before.steps.filter(({ id }) => !isSent(id)).map(({ path, id }) => [path, id]))
  const known = steps?.map((step) => ({ ...step, id: step.id ?? idOf.get(step.path) }))
  return {
    name,
    active,
    steps: known && buildSteps(known, building),
    variants: variants && buildVariants(variants, building),
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
