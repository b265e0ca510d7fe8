import type { CallOf, Contract, Funnel, FunnelSession, FunnelStep, NewPreviewSession } from '@tillwright/contract'
import { requireOpenStore } from '../catalog/index.ts'
import { newCustomer } from '../customers/index.ts'
import { emit } from '../events/index.ts'
import type { RequestContext, Handler, Services, Write } from '../request-context.ts'
import { ApiError, drawOf, missing, pickByWeight, requireUnarchived } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import { findFunnel } from './funnel-rows.ts'
import { newSessionToken } from './session-tokens.ts'
import { insertSession, stepProperties } from './sessions.ts'
import { funnelSessionsTable } from './tables.ts'

/**
 * Begins a session at a step of the caller's choice. An inactive funnel can be previewed too: that is how it is looked
 * at before buyers may enter. An archived one cannot. A named customer decides the variant and appears in the events; whatever is entered or paid
 * belongs to the preview's own anonymous customer, so that a preview changes nothing of a real one.
 *
 * Source: reference, "POST /funnels/{funnelId}/preview-session".
 */
export const previewSession: Handler<Contract['funnels']['previewSession']> = async ({ params, body }, context) => {
  const { funnelId } = params
  const { accountId } = context.caller
  if (body.funnelId !== undefined && body.funnelId !== funnelId) throw otherFunnel(body.funnelId)
  if (body.accountId !== undefined && body.accountId !== accountId)
    throw missing('account', body.accountId, { param: 'accountId', place: 'that this key can use' })
  const stored = await findFunnel(funnelId, accountId, context.services.db)
  if (stored === null) throw missing('funnel', funnelId, 'funnelId')
  const { funnel, revision } = stored
  requireUnarchived('funnel', funnel, 'funnelId')
  await requireOpenStore(funnel.storeId, context)
  const step = requireParts(funnel, body)
  await requireCustomer(body.customerId, funnel, context)
  const { customer, writes: customerWrites } = newCustomer({ storeId: funnel.storeId, data: {}, draft: true }, context)
  const session = buildSession({ funnel, originalCustomerId: customer.id }, body, context)
  const { sessionId, customerId } = session
  const token = newSessionToken(context.services.randomness)
  return {
    body: { sessionId, funnelId, stepId: step.id, token: token.text, customerId },
    writes: [
      insertSession(session, token.hash, revision),
      ...customerWrites,
      ...sessionStarted(session, step, context),
    ],
  }
}

function otherFunnel(sent: string): ApiError {
  const message = `funnelId is '${sent}', which contradicts the address; send the same, or leave it out.`
  return new ApiError('parameter_invalid', message, { param: 'funnelId' })
}

/** The step to begin with, once all that the body names is known to belong to the funnel. */
function requireParts(funnel: Funnel, body: NewPreviewSession): FunnelStep {
  const { storeId, stepId, funnelVariantId, environment, stepUrls = [] } = body
  if (storeId !== funnel.storeId) throw foreign('store', storeId, 'storeId')
  const step = funnel.steps.find(({ id }) => id === stepId)
  if (step === undefined) throw foreign('step', stepId, 'stepId')
  if (step.previewOnly && environment === 'production') throw notForBuyers(stepId)
  const known = funnelVariantId === undefined || funnel.variants.some(({ id }) => id === funnelVariantId)
  if (!known) throw foreign('variant', funnelVariantId, 'funnelVariantId')
  for (const [at, shown] of stepUrls.entries()) {
    if (!funnel.steps.some(({ id }) => id === shown.stepId))
      throw foreign('step', shown.stepId, `stepUrls[${at}].stepId`)
  }
  return step
}

/** Whether it belongs to another funnel or exists nowhere is all the same here. */
function foreign(what: string, id: string, param: string): ApiError {
  return new ApiError('resource_missing', `The funnel has no ${what} '${id}'; read the funnel to see what it has.`, {
    param,
  })
}

function notForBuyers(stepId: string): ApiError {
  const message = `The step '${stepId}' is shown in previews only, and environment 'production' shows the funnel as buyers see it; send environment 'staging', or another step.`
  return new ApiError('parameter_invalid', message, { param: 'stepId' })
}

async function requireCustomer(
  customerId: string | undefined,
  { storeId }: Funnel,
  { caller, services }: RequestContext,
): Promise<void> {
  if (customerId === undefined) return
  const sql = 'SELECT 1 AS found FROM customers WHERE account_id = ? AND id = ? AND store_id = ?'
  const rows = await services.db.read(sql, [caller.accountId, customerId, storeId])
  if (rows.length === 0) throw missing('customer', customerId, 'customerId')
}

interface Traveller {
  funnel: Funnel
  originalCustomerId: string
}

function buildSession(
  { funnel, originalCustomerId }: Traveller,
  body: NewPreviewSession,
  context: RequestContext,
): FunnelSession {
  const sessionId = context.newId('fsn')
  const customerId = body.customerId ?? originalCustomerId
  const named = { fromCustomerId: originalCustomerId, toCustomerId: customerId, reason: 'preview' }
  const drawn = pickVariant(funnel, body.enableSticky ? customerId : sessionId)
  return {
    sessionId,
    customerId,
    storeId: funnel.storeId,
    funnelId: funnel.id,
    funnelVariantId: body.funnelVariantId ?? drawn,
    currentStepId: body.stepId,
    furthestStepId: body.stepId,
    environment: body.environment,
    startedAt: context.nowMs,
    lastActivityAt: context.nowMs,
    originalCustomerId,
    customerHistory: body.customerId === undefined ? [] : [{ ...named, timestamp: context.nowMs }],
    metadata: {
      startedAt: new Date(context.nowMs).toISOString(),
      totalStepsVisited: 1,
      cmsSessionId: sessionId,
      accountId: funnel.accountId,
      isPreview: true,
    },
    resources: { customer: { id: customerId } },
    preview: previewOptions(body),
  }
}

/** Whether a session is a preview of this store that its token still opens: of a buyer's session never. */
export async function isOpenPreview(
  { accountId, storeId, sessionId }: { accountId: string; storeId: string; sessionId: string },
  { db, clock }: Pick<Services, 'db' | 'clock'>,
): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM funnel_sessions
    WHERE account_id = ? AND id = ? AND store_id = ? AND is_preview = 1 AND token_expires_at > ?`
  const rows = await db.read(sql, [accountId, sessionId, storeId, clock.now()])
  return rows.length > 0
}

/** The preview's options, for the server of its pages. */
function previewOptions(body: NewPreviewSession): FunnelSession['preview'] {
  return {
    enableSticky: body.enableSticky,
    currency: body.currency ?? null,
    locale: body.locale ?? null,
    testCardPreset: body.testCardPreset ?? null,
    threeds: null,
    previewShippingCountry: body.previewShippingCountry ?? null,
    builderOptions: body.builderOptions ?? {},
    contextData: body.contextData ?? {},
    stepUrls: body.stepUrls ?? [],
  }
}

function sessionStarted(session: FunnelSession, step: FunnelStep, context: RequestContext): Write[] {
  const { storeId, customerId } = session
  const properties = stepProperties(session, step)
  const subject = { storeId, customerId, draft: session.metadata.isPreview, properties }
  return [
    ...emit('s_funnel_session_started', subject, context),
    ...emit('s_funnel_session_step_viewed', subject, context),
  ]
}

const readSessions = rowReader(pick(funnelSessionsTable, 'resource', 'revision'))

/**
 * Changes what a preview shows, and the 3-D Secure outcome of its next payment. The session is guarded by its revision; a
 * concurrent change is read again.
 *
 * @throws {ApiError} 404 for an outcome in production, where no issuer is simulated; 409 for the session of a buyer.
 */
export const updatePreview: Handler<Contract['funnels']['updatePreview']> = async ({ params, body }, context) => {
  const { services, caller } = context
  if (body.threeds !== undefined && services.environment === 'production') throw notHere()
  const key = [caller.accountId, params.sessionId]
  const sql = 'SELECT resource, revision FROM funnel_sessions WHERE account_id = ? AND id = ?'
  const [row] = readSessions(await services.db.read(sql, key))
  if (row === undefined) throw missing('funnel session', params.sessionId, 'sessionId')
  const { resource: session, revision } = row
  if (session.preview === null) throw ofBuyer()
  const changed: FunnelSession = { ...session, preview: { ...session.preview, ...sentOf(body) } }
  return {
    body: changed,
    writes: [
      {
        sql: 'UPDATE funnel_sessions SET revision = revision + 1 WHERE account_id = ? AND id = ? AND revision = ?',
        params: [...key, revision],
        expect: 1,
      },
      {
        sql: 'UPDATE funnel_sessions SET resource = ? WHERE account_id = ? AND id = ?',
        params: [JSON.stringify(changed), ...key],
      },
    ],
  }
}

type PreviewUpdate = CallOf<Contract['funnels']['updatePreview']>['body']

function sentOf({ threeds, builderOptions }: PreviewUpdate): Partial<NonNullable<FunnelSession['preview']>> {
  return { ...(threeds !== undefined && { threeds }), ...(builderOptions !== undefined && { builderOptions }) }
}

function notHere(): ApiError {
  const message = 'No issuer is simulated in production; use the development environment.'
  return new ApiError('route_not_found', message)
}

function ofBuyer(): ApiError {
  const message = 'This is a buyer’s session, where the bank decides; start a preview of its funnel instead.'
  return new ApiError('state_conflict', message, { param: 'sessionId' })
}

/**
 * The variant that a session shows, by weight. The same subject draws the same variant of a funnel each time: a session,
 * or a customer who is to keep theirs.
 *
 * @param subject The session's or the customer's id.
 * @returns `null` for a funnel without variants.
 */
export function pickVariant({ id, variants }: Pick<Funnel, 'id' | 'variants'>, subject: string): string | null {
  return pickByWeight(variants, drawOf(`${id} ${subject}`))?.id ?? null
}
