import type { Funnel, FunnelStep, FunnelUpdate, FunnelVariant, NewFunnel } from '@tillwright/contract'
import type { Call } from '../call.ts'

/** The part of a call that a funnel is built with. */
export type Building = Pick<Call, 'nowMs' | 'newId'> & { caller: { accountId: string } }

/** A new funnel, with ids for what came without one. */
export function buildFunnel(body: NewFunnel, building: Building): Funnel {
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
export function mergeFunnel(funnel: Funnel, update: FunnelUpdate, building: Building): Funnel {
  return {
    ...funnel,
    name: update.name ?? funnel.name,
    active: update.active ?? funnel.active,
    steps: update.steps === undefined ? funnel.steps : buildSteps(update.steps, building),
    variants: update.variants === undefined ? funnel.variants : buildVariants(update.variants, building),
    updatedAt: new Date(building.nowMs).toISOString(),
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
