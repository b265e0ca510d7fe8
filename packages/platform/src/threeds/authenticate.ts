import type { BrowserAuthentication, Environment, Payment, ThreedsStep } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../cluster/index.ts'
import { storesTable } from '../catalog/index.ts'
import { customersTable } from '../customers/index.ts'
import { paymentsTable, singlePayment, withoutErrors } from '../ledger/index.ts'
import { liveConfigs, paymentFlowsTable } from '../processors/index.ts'
import type { PendingReply, Reply, RequestContext, Services } from '../request-context.ts'
import { ApiError, faultOf, isAnyPort } from '../runtime/index.ts'
import { type Database, int, nullable, pick, type RowOf, rowReader } from '../storage/index.ts'
import { secondsSince } from '../telemetry/index.ts'
import { isIssuerAddress, readCard } from '../vault/index.ts'
import { browserFields } from './browser-data.ts'
import { type AuthenticationFacts, emvRequest, inWindow, type WindowSize } from './emv-request.ts'
import { merchantOf } from './merchant.ts'
import { endSession, holdSession, moveSession, recordAnswer, sessionConflict } from './outcome.ts'
import {
  type Authentication,
  type AuthenticationRequest,
  type Authenticator,
  type BrowserSession,
  requireProvider,
} from './provider.ts'
import { methodCompletion } from './session-records.ts'
import { expiryAfter, SESSION_LIFETIME_MS } from './status.ts'
import { stepOf } from './step.ts'
import type { ThreedsServer } from './threeds-server.ts'

/** How long a bank may ask a buyer elsewhere: the session's time, less a minute for the result to arrive. */
const DECOUPLED_MINUTES = SESSION_LIFETIME_MS / 60_000 - 1

/** A session, and who serves it. */
interface Authenticating {
  session: BrowserSession
  server: ThreedsServer
}

/**
 * Authenticates the cardholder of a payment with what the browser says of itself. That the provider is being asked is on
 * record before it is asked. A provider without an answer is the end of it: the buyer waits and cannot be asked later.
 */
export async function authenticateInBrowser(
  body: BrowserAuthentication,
  { session, server }: Authenticating,
  context: RequestContext,
): Promise<PendingReply<ThreedsStep>> {
  const { services, nowMs } = context
  const provider = await requireProvider(session.provider, server.providers)
  const request = await browserRequest(body, { session, server }, context)
  const taken = { to: 'authenticating', leaseUntilMs: nowMs + CLAIM_LEASE_MS } as const
  const resource = { type: 'threedsSession', id: session.id }
  const change = { resource, before: { status: session.status }, after: { status: taken.to } }
  await context.begin(withoutErrors([moveSession(session, taken, nowMs), holdSession(session, services)]), change)
  const asking = { ...session, status: taken.to, leaseUntilMs: taken.leaseUntilMs }
  const end = askAndRecord({ asking, server }, { request, provider, size: body.browser.challengeWindowSize }, context)
  // The frame waits for the result then, as another tab does.
  const failure = sessionConflict(session.id, 'is still being authenticated; ask again')
  return { meanwhile: async () => ({ failure }), end }
}

interface Asking {
  request: AuthenticationRequest
  provider: Authenticator
  size: WindowSize
}

async function askAndRecord(
  { asking, server }: { asking: BrowserSession; server: ThreedsServer },
  { request, provider, size }: Asking,
  context: RequestContext,
): Promise<Reply<ThreedsStep>> {
  const asked = await askProvider(request, provider, context)
  const { services } = context
  const emitter = { ...context, nowMs: services.clock.now() }
  const { moved, writes } = recordAsked(asking, { asked, brand: request.card.brand, size }, emitter)
  // Committed here rather than with the answer, so that another tab that waits for it reads it at once.
  const resource = { type: 'threedsSession', id: asking.id }
  await context.begin(withoutErrors(writes), { resource, before: { status: asking.status }, after: moved })
  server.watch.changed(asking.id)
  return { body: stepOf(moved, emitter.nowMs) }
}

interface Ending {
  asked: Asked
  brand: string
  size: WindowSize
}

function recordAsked(asking: BrowserSession, { asked, brand, size }: Ending, emitter: RequestContext) {
  switch (asked.outcome) {
    case 'answered': {
      const authentication = sized(asked.authentication, size)
      const { body, writes } = recordAnswer(asking, { authentication, brand }, emitter)
      const expiresAtMs = expiryAfter(body, asking, emitter.nowMs)
      return { moved: { ...asking, status: body.status, expiresAtMs, authentication: body }, writes }
    }
    case 'unanswered': {
      const writes = endSession(asking, 'unavailable', emitter)
      return { moved: { ...asking, status: 'unavailable' as const }, writes }
    }
  }
}

function sized(authentication: Authentication, size: WindowSize): Authentication {
  const { creq } = authentication
  return creq === null ? authentication : { ...authentication, creq: inWindow(creq, size) }
}

async function browserRequest(
  { browser }: BrowserAuthentication,
  { session, server: { vaultUrl } }: Authenticating,
  { services, caller, nowMs, address, browserHeaders }: RequestContext,
): Promise<AuthenticationRequest> {
  const [presented, payment] = await Promise.all([
    readCard(session.cardId, session.accountId, services),
    readSessionPayment(session, services.db),
  ])
  const { number, name, ...card } = presented
  const { facts, requestor, preset } = paymentFacts(payment, { brand: card.brand, name }, services.environment)
  const message = emvRequest(facts, {
    transactionId: session.externalSessionId,
    card: { ...card, number },
    requestor: { ...requestor, url: caller.allowedOrigins.find((each) => !isAnyPort(each)) ?? vaultUrl },
    vaultUrl,
    browser: browserFields(browser, { ...browserHeaders, address }),
    methodCompletion: methodCompletion(session),
    decoupledMinutes: DECOUPLED_MINUTES,
    nowMs,
  })
  return { message, card, ...(preset !== null && { preset }) }
}

/** How long a provider may take: well under the lease of a session, so that no other process asks meanwhile. */
const PROVIDER_TIMEOUT_MS = 30_000

/** The result of asking. Without an answer nothing is known, and the session may be authenticated again. */
type Asked = { outcome: 'answered'; authentication: Authentication } | { outcome: 'unanswered'; error: ApiError }

/** Asks a provider, and goes wrong the way the request wants it to (`call.fault`). */
export function askProvider(
  request: AuthenticationRequest,
  provider: Authenticator,
  context: Pick<RequestContext, 'services' | 'fault'>,
): Promise<Asked> {
  const { telemetry } = context.services
  const attributes = { 'tillwright.threeds.transaction.id': request.message.threeDSServerTransID }
  return telemetry.span('3-D Secure authentication', { kind: 'client', attributes }, async (span) => {
    const startedAt = performance.now()
    const asked = await ask(request, provider, context)
    const outcome = asked.outcome === 'answered' ? asked.authentication.transStatus : asked.outcome
    const labels = { 'tillwright.threeds.outcome': outcome }
    span.set(labels)
    telemetry.record('tillwright.threeds.authentication.duration', secondsSince(startedAt), labels)
    return asked
  })
}

async function ask(
  request: AuthenticationRequest,
  provider: Authenticator,
  { services, fault }: Pick<RequestContext, 'services' | 'fault'>,
): Promise<Asked> {
  const answered = new AbortController()
  const tooLate = services.clock
    .until(services.clock.now() + PROVIDER_TIMEOUT_MS, answered.signal)
    .then(() => timedOut())
  try {
    switch (faultOf('threeds', fault)) {
      case 'threeds=outage':
        return failed()
      case 'threeds=timeout':
        return timedOut()
      case null:
        return await Promise.race([answerOf(request, provider, services), tooLate])
    }
  } catch (error) {
    const { threeDSServerTransID: transactionId } = request.message
    services.log.error({ err: error, transactionId }, 'a 3-D Secure provider gave no answer')
    return failed()
  } finally {
    answered.abort('answered') // without a reason an error would be made each time, with its stack
  }
}

/** A challenge where no browser can be sent counts as no answer: it could never be completed. */
async function answerOf(
  request: AuthenticationRequest,
  provider: Authenticator,
  { environment }: Pick<Services, 'environment'>,
): Promise<Asked> {
  const authentication = await provider.authenticate(request)
  const { acsChallengeUrl } = authentication
  if (acsChallengeUrl === null || isIssuerAddress(acsChallengeUrl, environment))
    return { outcome: 'answered', authentication }
  throw new Error('The challenge is at an address that no browser may be sent to: it is not HTTPS.')
}

function failed(): Asked {
  const message = 'The 3-D Secure provider could not answer; authenticate the session again in a moment.'
  return { outcome: 'unanswered', error: new ApiError('upstream_failed', message) }
}

function timedOut(): Asked {
  const message = 'The 3-D Secure provider did not answer in time; authenticate the session again in a moment.'
  return { outcome: 'unanswered', error: new ApiError('upstream_timeout', message) }
}

/** The payment's details that the issuer sees, and the shop that asks. */
export interface PaymentFacts {
  facts: AuthenticationFacts
  requestor: { id: string; name: string }
  /** The outcome a preview asks for: its payment's `threeds`, else its `testCardPreset`, or `null`. */
  preset: string | null
}

/** The recorded payment that a session authenticates. */
export interface SessionPayment {
  /** With its store, its customer and its flow. */
  row: PaymentRow
  /** The operator's settings for each of the account's processors, by id. */
  configs: Awaited<ReturnType<typeof liveConfigs>>
}

/** Reads the payment that waits for a session. */
async function readSessionPayment({ accountId, paymentId }: BrowserSession, db: Database): Promise<SessionPayment> {
  const [rows, configs] = await Promise.all([
    db.read(selectPayment, [accountId, paymentId]),
    liveConfigs(accountId, db),
  ])
  const [row] = readPayments(rows)
  if (row === undefined) throw new Error(`The payment ${paymentId} of a session is gone.`)
  return { row, configs }
}

/**
 * The payment that waits for a session, as an issuer wants to know it.
 *
 * @param card Its brand, and the name that the buyer has typed, `null` when none.
 * @throws {ApiError} `unavailable` when the flow's processors do not say for which merchant.
 */
function paymentFacts(
  { row, configs }: SessionPayment,
  card: { brand: string; name: string | null },
  environment: Environment,
): PaymentFacts {
  const { store_name: storeName, flow } = row
  return {
    facts: {
      processorConfig: merchantOf({ flow, configs, storeName, brand: card.brand }, environment),
      purchaseInfo: { amount: String(row.amount), currency: row.currency },
      cardholderInfo: cardholder(row, card.name),
      ...agreementOf(row),
    },
    requestor: { id: row.account_id, name: storeName },
    preset: presetOf(row.preview),
  }
}

/**
 * Whether the buyer is to be asked whatever the merchant prefers. An issuer that has declined an attempt because it wants the
 * buyer, and is then asked for no challenge, declines again.
 */
function isMandatory({ routing, attempts }: Pick<PaymentRow, 'routing' | 'attempts'>): boolean {
  return routing?.challengeMandated === true || attempts > 0
}

/** A card that is charged again under other circumstances needs a challenge, whatever its merchant prefers. */
function agreementOf({ agreement, ...row }: PaymentRow) {
  const { recurringInfo, authenticationType, challengePreference } = agreement ?? singlePayment
  return {
    authenticationType,
    challengePreference,
    ...(isMandatory(row) && { challengePreference: 'challenge-mandated' as const }),
    ...(recurringInfo !== null && { recurringInfo }),
  }
}

function presetOf(preview: Payment['preview']): string | null {
  return preview?.threeds ?? preview?.testCardPreset ?? null
}

const selectPayment = `SELECT p.account_id, p.amount, p.currency, p.preview, p.routing, p.agreement, s.name AS store_name, f.resource AS flow,
    c.email, c.first_name, c.last_name,
    (SELECT count(*) FROM payment_attempts a WHERE a.account_id = p.account_id AND a.payment_id = p.id) AS attempts
  FROM payments p
  JOIN stores s ON s.account_id = p.account_id AND s.id = p.store_id
  JOIN customers c ON c.account_id = p.account_id AND c.id = p.customer_id
  LEFT JOIN payment_flows f ON f.account_id = p.account_id AND f.id = p.payment_flow_id
  WHERE p.account_id = ? AND p.id = ?`
const paymentColumns = {
  ...pick(paymentsTable, 'account_id', 'amount', 'currency', 'preview', 'routing', 'agreement'),
  store_name: storesTable.name,
  flow: nullable(paymentFlowsTable.resource),
  ...pick(customersTable, 'email', 'first_name', 'last_name'),
  attempts: int,
}
const readPayments = rowReader(paymentColumns)
type PaymentRow = RowOf<typeof paymentColumns>

/** Leaves out what is unknown. */
function cardholder(row: PaymentRow, nameOnCard: string | null): AuthenticationFacts['cardholderInfo'] {
  const name = (nameOnCard ?? `${row.first_name} ${row.last_name}`).trim()
  const { email } = row
  return { ...(name !== '' && { name }), ...(email !== '' && { email }) }
}
