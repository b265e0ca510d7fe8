import { isAnyPort } from '../../ambient/allows-origin.ts'
import type { BrowserAuthentication, ThreedsStep } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../../accounts/idempotency-keys.ts'
import type { Call, Reply } from '../../call.ts'
import { readCard } from '../../vault/read-card.ts'
import { askProvider, type Asked } from './ask-provider.ts'
import { browserFields } from './browser-data.ts'
import { inWindow, type WindowSize } from './creq.ts'
import { emvRequest } from './emv-request.ts'
import { methodCompletion } from './method-completion.ts'
import { moveSession } from './move-session.ts'
import type { BrowserSession } from './open-session.ts'
import { withoutErrors } from '../without-errors.ts'
import { paymentFacts, readSessionPayment } from './payment-facts.ts'
import type { Authentication, AuthenticationRequest } from './provider.ts'
import { endSession, settleSession } from './settle-session.ts'
import { requireProvider } from './threeds-providers.ts'
import type { ThreedsServer } from './threeds-server.ts'
import { stepOf } from './threeds-step.ts'

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
  call: Call,
): Promise<Reply<ThreedsStep>> {
  const { parts, nowMs } = call
  const provider = await requireProvider(session.provider, server.providers)
  const request = await browserRequest(body, { session, server }, call)
  const taken = { to: 'authenticating', leaseUntilMs: nowMs + CLAIM_LEASE_MS } as const
  await call.begin(withoutErrors([moveSession(session, taken, nowMs)]))
  const asking = { ...session, status: taken.to, leaseUntilMs: taken.leaseUntilMs }
  const asked = await askProvider(request, provider, call)
  const emitter = { ...call, nowMs: parts.clock.now() }
  const { settled, writes } = settle(
    asking,
    { asked, brand: request.card.brand, size: body.browser.challengeWindowSize },
    emitter,
  )
  // Committed here rather than with the answer, so that another tab that waits for it reads it at once.
  await call.begin(withoutErrors(writes))
  server.watch.changed(session.id)
  return { body: stepOf(settled, emitter.nowMs) }
}

interface Ending {
  asked: Asked
  brand: string
  size: WindowSize
}

function settle(asking: BrowserSession, { asked, brand, size }: Ending, emitter: Call) {
  switch (asked.outcome) {
    case 'answered': {
      const authentication = sized(asked.authentication, size)
      const { body, writes } = settleSession(asking, { authentication, brand }, emitter)
      return { settled: { ...asking, status: body.status, authentication: body }, writes }
    }
    case 'unanswered': {
      const writes = endSession(asking, 'unavailable', emitter)
      return { settled: { ...asking, status: 'unavailable' as const }, writes }
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
  { parts, caller, nowMs, address, browserHeaders }: Call,
): Promise<AuthenticationRequest> {
  const [presented, payment] = await Promise.all([
    readCard(session.cardId, session.accountId, parts),
    readSessionPayment(session, parts.db),
  ])
  const { number, name, ...card } = presented
  const { facts, requestor, preset } = paymentFacts(payment, { brand: card.brand, name }, parts.environment)
  const message = emvRequest(facts, {
    transactionId: session.externalSessionId,
    card: { ...card, number },
    requestor: { ...requestor, url: caller.allowedOrigins.find((each) => !isAnyPort(each)) ?? vaultUrl },
    vaultUrl,
    browser: browserFields(browser, { ...browserHeaders, address }),
    methodCompletion: methodCompletion(session),
    decoupledMinutes: Math.floor((session.expiresAtMs - nowMs) / 60_000),
    nowMs,
  })
  return { message, card, ...(preset !== null && { preset }) }
}
