import type { Funnel, FunnelSession, NewQuote, OrderBuyer, Payment } from '@tillwright/contract'
import { findFunnel, funnelSessionsTable, tokenReplaced } from '../funnels/index.ts'
import { readPayment } from '../ledger/index.ts'
import type { RequestContext, Write } from '../request-context.ts'
import { stepInstead } from './next-step.ts'
import { type Database, json, nullable, pick, type RowOf, rowReader } from '../storage/index.ts'

/** A session with all that its page is shown of. */
export interface BuyersSession {
  session: FunnelSession
  state: SessionState
  /** Guards what is built on it. */
  revision: number
  tokenExpiresAtMs: number
  /** `null` for a session outside of any funnel. */
  funnel: Funnel | null
  /** The last payment that was asked for, or `null`. */
  payment: Payment | null
}

/**
 * Reads the session that the caller's token opens, and nothing that belongs to another.
 *
 * @throws {ApiError} `session_token_replaced` when the session was handed over while the request was on its way.
 */
export async function readSession({
  caller,
  services,
}: Pick<RequestContext, 'caller' | 'services'>): Promise<BuyersSession> {
  const { accountId, sessionId = '', sessionTokenHash = '' } = caller
  const sql = `${selectSession} AND id = ? AND token_hash = ?`
  const [row] = readSessions(await services.db.read(sql, [accountId, sessionId, sessionTokenHash]))
  if (row === undefined) throw tokenReplaced()
  return fromRow(row, { accountId, db: services.db })
}

/** Reads the session of a code with when it dies, or `null`. */
export async function readSessionOfCode(
  codeHash: string,
  { caller, services }: Pick<RequestContext, 'caller' | 'services'>,
): Promise<{ buyers: BuyersSession; codeExpiresAtMs: number } | null> {
  const { accountId } = caller
  const [row] = readSessions(await services.db.read(`${selectSession} AND code_hash = ?`, [accountId, codeHash]))
  if (row === undefined) return null
  const buyers = await fromRow(row, { accountId, db: services.db })
  return { buyers, codeExpiresAtMs: row.code_expires_at ?? 0 }
}

async function fromRow(
  row: RowOf<typeof sessionColumns>,
  { accountId, db }: { accountId: string; db: Database },
): Promise<BuyersSession> {
  const { resource: session, revision, token_expires_at: tokenExpiresAtMs } = row
  const state: SessionState = { ...untouched, ...row.state }
  const [stored, payment] = await Promise.all([
    session.funnelId === '' ? null : findFunnel(session.funnelId, accountId, db),
    state.paying === null ? null : readPayment(state.paying.paymentId, accountId, db),
  ])
  const funnel = stored?.funnel ?? null
  const stands = funnel === null ? session : standing({ session, state, payment }, funnel)
  return { session: stands, state, revision, tokenExpiresAtMs, funnel, payment }
}

/** A session whose step the merchant has removed meanwhile goes on at another one. */
function standing({ session, ...paid }: Pick<BuyersSession, 'session' | 'state' | 'payment'>, funnel: Funnel) {
  const instead = stepInstead(funnel, { ...session, paidAt: paidSteps(paid) })
  const currentStepId = instead?.id ?? session.currentStepId
  const isFurthestThere = funnel.steps.some(({ id }) => id === session.furthestStepId)
  return { ...session, currentStepId, furthestStepId: isFurthestThere ? session.furthestStepId : currentStepId }
}

const selectSession =
  'SELECT resource, state, revision, token_expires_at, code_expires_at FROM funnel_sessions WHERE account_id = ?'
const sessionColumns = {
  ...pick(funnelSessionsTable, 'resource', 'revision', 'token_expires_at', 'code_expires_at'),
  state: nullable(json<Partial<SessionState>>()),
}
const readSessions = rowReader(sessionColumns)

/**
 * Puts a changed session in the place of the one that was read. Guarded by its revision: of two tabs the second reads
 * again.
 */
export function replaceSession({ session, state, revision }: BuyersSession, nowMs: number): Write[] {
  const key = [session.metadata.accountId, session.sessionId]
  const resource: FunnelSession = { ...session, lastActivityAt: nowMs }
  return [
    {
      sql: `UPDATE funnel_sessions SET revision = revision + 1, last_activity_at = ?
        WHERE account_id = ? AND id = ? AND revision = ?`,
      params: [nowMs, ...key, revision],
      expect: 1,
    },
    {
      sql: 'UPDATE funnel_sessions SET resource = ?, state = ? WHERE account_id = ? AND id = ?',
      params: [JSON.stringify(resource), JSON.stringify(state), ...key],
    },
  ]
}

/** Where the order of a session stands: to be changed, being paid, or paid. */
export function orderStanding({ payment }: Pick<BuyersSession, 'payment'>): 'open' | 'paying' | 'placed' {
  // Its money is given back: the order that it was for is not paid.
  if (payment?.routing.paidLate === true) return 'open'
  switch (payment?.status) {
    case undefined:
    case 'declined':
    case 'failed':
    case 'canceled':
      return 'open'
    case 'created':
    case 'requires_action':
    case 'processing':
      return 'paying'
    case 'authorized':
    case 'succeeded':
    case 'partially_refunded':
    case 'refunded':
      return 'placed'
  }
}

/** The steps at which something was paid in the session. */
export function paidSteps(buyers: Pick<BuyersSession, 'state' | 'payment'>): ReadonlySet<string> {
  const { paidAtStepIds, paying } = buyers.state
  const isPlaced = paying !== null && orderStanding(buyers) === 'placed'
  return new Set([...paidAtStepIds, ...(isPlaced ? [paying.stepId] : [])])
}

/** The stored state that a buyer's page has put together in a session. */
export interface SessionState {
  /** `null` until a page has said: then it is the preview's, or the store's own. */
  currency: string | null
  lines: NewQuote['lines']
  promotionCodes: readonly string[]
  /** The shipping option that the buyer has chosen; `null` before. */
  shippingOptionId: string | null
  /** How the last order that was placed is shipped, and where to; `null` where nothing was shipped. */
  shippedWith: { optionId: string; to: OrderBuyer['shippingAddress'] } | null
  buyer: OrderBuyer
  /** The variants of open lines that the session was handed over with, until the buyer confirms them. */
  broughtAlong: readonly string[]
  /** The buyer details that were given before the session was last handed over. */
  saidElsewhere: readonly ('contact' | 'address')[]
  /** How often the session was handed over. */
  handOvers: number
  /**
   * The last payment that was asked for, and the step it was asked for at; `null` before the first. `card`: what holds of
   * its card once it is paid.
   */
  paying: { paymentId: string; orderId: string; stepId: string; card?: GivenCard } | null
  /** The earlier orders that were paid, the steps at which they were, and the instruments that paid them. */
  paidOrderIds: readonly string[]
  paidAtStepIds: readonly string[]
  paidWithIds: readonly string[]
  /** How those cards were given, or last proven. */
  cards: readonly GivenCard[]
  /** Whether the preview's test card has had its payment. */
  isPresetSpent: boolean
  /** Whether the buyer has come to the end of the funnel. */
  isCompleted: boolean
}

/** The circumstances in which a buyer has given a card, or has proven again that it is theirs. */
export interface GivenCard {
  paymentInstrumentId: string
  /** The amount that the buyer agreed to, in minor units of `currency`. */
  amount: number
  currency: string
  /** SHA-256 of e-mail address and addresses. */
  buyer: string
  /** SHA-256 of what is known of the buyer's device. */
  device: string
  /** How often the session had been handed over by then. */
  handOvers: number
}

/** A session in which nothing has happened yet. */
export const untouched: SessionState = {
  currency: null,
  lines: [],
  promotionCodes: [],
  shippingOptionId: null,
  shippedWith: null,
  buyer: { email: '', firstName: '', lastName: '', phone: null, billingAddress: null, shippingAddress: null },
  broughtAlong: [],
  saidElsewhere: [],
  handOvers: 0,
  paying: null,
  paidOrderIds: [],
  paidAtStepIds: [],
  paidWithIds: [],
  cards: [],
  isPresetSpent: false,
  isCompleted: false,
}
