import type { Contract, Funnel, FunnelSession, FunnelStep } from '@tillwright/contract'
import { requireOpenStore } from '../catalog/index.ts'
import { newCustomer } from '../customers/index.ts'
import { emit } from '../events/index.ts'
import {
  findFunnel,
  insertSession,
  insertStoreSession,
  newSessionToken,
  pickVariant,
  SESSION_TOKEN_LIFETIME_MS,
  stepProperties,
  type StoredFunnel,
} from '../funnels/index.ts'
import type { RequestContext, Handler, Write } from '../request-context.ts'
import { ApiError, inStore, missing, requireUnarchived } from '../runtime/index.ts'
import { type BuyersSession, untouched } from './buyers-session.ts'
import { entryStep, firstStep } from './next-step.ts'
import { changedOrder } from './open-order.ts'
import type { ViewSession } from './view.ts'

/** Begins a session of a nameless customer, at a step of a funnel that a buyer may begin with, or outside of any funnel. */
export function beginSession(view: ViewSession): Handler<Contract['session']['begin']> {
  return async ({ body }, context) => {
    const { accountId } = context.caller
    const entered = body.funnelId === undefined ? null : await enter(body.funnelId, body.stepId, context)
    const storeId = entered?.stored.funnel.storeId ?? (await storeOf(body.storeId ?? '', context))
    const token = newSessionToken(context.services.randomness)
    const { customer, writes: customerWrites } = newCustomer({ storeId, data: {} }, context)
    const session = buildSession({ storeId, customerId: customer.id, entered }, { ...context, accountId })
    const buyers: BuyersSession = {
      session,
      state: untouched,
      revision: 1,
      tokenExpiresAtMs: context.nowMs + SESSION_TOKEN_LIFETIME_MS,
      funnel: entered?.stored.funnel ?? null,
      payment: null,
    }
    const shown = await view(buyers, await changedOrder(buyers, context), context)
    const insert =
      entered === null
        ? insertStoreSession(session, token.hash)
        : insertSession(session, token.hash, entered.stored.revision)
    return {
      body: { token: token.text, session: shown },
      writes: [insert, ...customerWrites, ...(entered === null ? [] : sessionStarted(session, entered.step, context))],
    }
  }
}

/** A funnel that buyers may enter, and the step that they meet first. */
interface Entered {
  stored: StoredFunnel
  step: FunnelStep
}

async function enter(
  funnelId: string,
  opened: string | undefined,
  { caller, services }: RequestContext,
): Promise<Entered> {
  const stored = await findFunnel(funnelId, caller.accountId, services.db)
  if (stored === null || !isOwn(stored.funnel, caller)) {
    throw missing('funnel', funnelId, caller.storeId === null ? 'funnelId' : inStore(caller.storeId, 'funnelId'))
  }
  requireUnarchived('funnel', stored.funnel, 'funnelId')
  await requireOpenStore(stored.funnel.storeId, { caller, services }, 'funnelId')
  if (opened !== undefined && !stored.funnel.steps.some(({ id }) => id === opened)) {
    throw missing('funnel step', opened, { param: 'stepId', place: `in the funnel '${funnelId}'` })
  }
  const step = opened === undefined ? firstStep(stored.funnel) : entryStep(stored.funnel, opened)
  if (stored.funnel.active && step !== null) return { stored, step }
  throw new ApiError(
    'state_conflict',
    'The funnel is not open to buyers; activate it, with a step that buyers can see.',
    {
      param: 'funnelId',
    },
  )
}

/** A publishable key is for one store. */
function isOwn({ storeId }: Pick<Funnel, 'storeId'>, caller: RequestContext['caller']): boolean {
  return caller.storeId === null || caller.storeId === storeId
}

async function storeOf(storeId: string, context: RequestContext): Promise<string> {
  if (!isOwn({ storeId }, context.caller)) throw missing('store', storeId, 'storeId')
  return (await requireOpenStore(storeId, context)).id
}

interface Traveller {
  storeId: string
  customerId: string
  entered: Entered | null
}

/** Outside of a funnel its ids are empty: the reference knows no other absence. */
function buildSession(
  { storeId, customerId, entered }: Traveller,
  { nowMs, newId, accountId }: Pick<RequestContext, 'nowMs' | 'newId'> & { accountId: string },
): FunnelSession {
  const sessionId = newId('fsn')
  const stepId = entered?.step.id ?? ''
  return {
    sessionId,
    customerId,
    storeId,
    funnelId: entered?.stored.funnel.id ?? '',
    funnelVariantId: entered && pickVariant(entered.stored.funnel, sessionId),
    currentStepId: stepId,
    furthestStepId: stepId,
    environment: 'production',
    startedAt: nowMs,
    lastActivityAt: nowMs,
    originalCustomerId: customerId,
    customerHistory: [],
    metadata: {
      startedAt: new Date(nowMs).toISOString(),
      totalStepsVisited: entered === null ? 0 : 1,
      cmsSessionId: sessionId,
      accountId,
      isPreview: false,
    },
    resources: { customer: { id: customerId } },
    preview: null,
  }
}

function sessionStarted(session: FunnelSession, step: FunnelStep, context: RequestContext): Write[] {
  const { storeId, customerId } = session
  const subject = { storeId, customerId, properties: stepProperties(session, step) }
  return [
    ...emit('s_funnel_session_started', subject, context),
    ...emit('s_funnel_session_step_viewed', subject, context),
  ]
}
