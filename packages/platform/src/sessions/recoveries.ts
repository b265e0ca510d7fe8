import type { Contract, Payment, Recovery, ThreedsProviderName } from '@tillwright/contract'
import { findAccount } from '../accounts/index.ts'
import { findStore } from '../catalog/index.ts'
import {
  findCardSummaries,
  findInstrument,
  instrumentFromToken,
  type PayingInstrument,
  toPaying,
} from '../customers/index.ts'
import { readPayment } from '../ledger/index.ts'
import { continuePayment, type Paying, type PreparedPayment, takePayment, withNextAction } from '../payments/index.ts'
import { prepareRenewal, pricePeriod } from '../renewals/index.ts'
import type { Handler, Handlers, PendingReply, Reply, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import {
  amountDue,
  dueTerms,
  endsUnpaid,
  findSubscription,
  knownSubscription,
  leastDays,
  linkOf,
  readRecoveryToken,
  type SubscriptionRecord,
} from '../subscriptions/index.ts'
import type { CardTries } from '../vault/index.ts'
import { toSessionPayment } from './view.ts'

/** Makes a link for a merchant's server. */
export function createRecoveryLink(apiUrl: string): Handler<Contract['subscriptions']['createRecoveryLink']> {
  return async ({ params: { subscriptionId } }, context) => {
    const record = await knownSubscription(subscriptionId, context)
    if (record.status !== 'past_due') {
      const message = `The subscription '${record.id}' is ${record.status}, so nothing of it is past due; there is nothing to pay by a link.`
      throw new ApiError('state_conflict', message)
    }
    if (endsUnpaid(record)) {
      const message = `The subscription '${record.id}' owes nothing any more and ends by itself; there is nothing to pay by a link.`
      throw new ApiError('state_conflict', message)
    }
    const { secrets } = context.services
    const { id, accountId, period, terms } = record
    const unpaid = { accountId, storeId: terms.storeId, subscriptionId: id, period }
    const link = linkOf(unpaid, { apiUrl, secrets, nowMs: context.nowMs })
    const change = { resource: { type: 'subscription', id }, after: { linkExpiresAt: link.expiresAt } }
    return { body: link, writes: [], change }
  }
}

/**
 * The page behind a link. The token decides what is read and paid; a link is good for one period, which is paid once
 * because `holdSubscription` lets one payment at a time charge it. A decline leaves the schedule of the automatic
 * tries.
 */
export function recoveries(paying: Paying, cardTries: CardTries): Handlers<Contract['recoveries']> {
  return {
    async read({ body: { token } }, context) {
      const opened = await open(token, context)
      const amount = await amountOf(opened, context)
      return { body: { ...(await viewOf(opened, context)), amount } }
    },

    async pay({ body: { token, serviceToken, expectedAmount } }, context) {
      const opened = await open(token, context)
      const { record } = opened
      requirePayable(opened)
      const card = await cardOf(record, serviceToken, context)
      const prepared = await preparePaid({ record, card }, context, paying)
      requireShown(expectedAmount, prepared)
      const reply = await takePayment(prepared, context, { ...paying, cardTries })
      return shown(reply, opened, context)
    },

    async continue({ body: { token } }, context) {
      const opened = await open(token, context)
      const { renewalPaymentId } = opened.record
      if (renewalPaymentId === null) throw new ApiError('state_conflict', 'There is no payment to continue; pay again.')
      const charging = { ...paying, cardTries, fault: context.fault }
      return shown(await continuePayment(renewalPaymentId, context, charging), opened, context)
    },
  }
}

/** A subscription that a link opens, and whether its period is still the unpaid one. */
interface Opened {
  record: SubscriptionRecord
  isCurrent: boolean
}

async function open(token: string, { caller, services, nowMs }: RequestContext): Promise<Opened> {
  const { accountId } = caller
  const { subscriptionId, period } = readRecoveryToken(token, { accountId, secrets: services.secrets, nowMs })
  const record = await findSubscription(subscriptionId, accountId, services.db)
  const isOfStore = caller.storeId === null || caller.storeId === record?.terms.storeId
  if (record === null || !isOfStore) throw missing('subscription', subscriptionId, 'token')
  return { record, isCurrent: record.period === period }
}

function requirePayable({ record, isCurrent }: Opened): void {
  const isFree = record.renewalPaymentId === null
  if (isCurrent && record.status === 'past_due' && isFree && !endsUnpaid(record)) return
  const messages: Partial<Record<SubscriptionRecord['status'], string>> = {
    ...(!isFree && { past_due: 'A payment is under way already; wait for its end.' }),
    paused: 'The subscription is paused, and nothing is charged meanwhile; ask the shop to resume it.',
  }
  throw new ApiError('state_conflict', (isCurrent && messages[record.status]) || 'There is nothing to pay any more.')
}

/** @throws {ApiError} `state_conflict` for a buyer who was shown another amount: the tax may have changed since. */
function requireShown(expectedAmount: number | undefined, { price: { amount }, body: { currency } }: PreparedPayment) {
  if (expectedAmount === undefined || expectedAmount === amount) return
  const message = `The period costs ${amount} minor units of ${currency}, not ${expectedAmount}; nothing was charged. Read it again and ask the buyer.`
  throw new ApiError('state_conflict', message, { param: 'expectedAmount' })
}

interface BuyersCard {
  id: string
  instrument: PayingInstrument
  writes: Write[]
}

async function cardOf(
  { accountId, customerId, paymentInstrumentId, terms: { storeId } }: SubscriptionRecord,
  serviceToken: string | undefined,
  context: RequestContext,
): Promise<BuyersCard> {
  if (serviceToken !== undefined) {
    const made = await instrumentFromToken({ serviceToken, storeId, customerId }, context)
    return { id: made.paymentInstrument.id, instrument: toPaying(made, storeId), writes: made.writes }
  }
  const instrument = await findInstrument(paymentInstrumentId, accountId, context.services.db)
  if (instrument?.isActive === true) return { id: paymentInstrumentId, instrument, writes: [] }
  throw new ApiError('state_conflict', 'The card is no longer there; enter another one.', { param: 'serviceToken' })
}

/** The payment of the period by its buyer, who agrees anew: it is authenticated with a challenge wherever that is possible. */
async function preparePaid(
  { record, card }: { record: SubscriptionRecord; card: BuyersCard },
  context: RequestContext,
  paying: Paying,
): Promise<PreparedPayment> {
  const amount = amountDue(record)
  const due = { record, amount, isRequested: true, buyersCard: card.instrument }
  const prepared = await prepareRenewal(due, context, paying)
  const provider = await providerOf(record.accountId, context)
  const authenticator = (await paying.threedsProviders(provider)) === null ? null : provider
  const frequency = String(Math.min(leastDays(record.terms), 9_999))
  return {
    ...prepared,
    body: {
      ...prepared.body,
      paymentInstrumentId: card.id,
      initiatedBy: 'buyer',
      authenticationType: 'recurring-transaction',
      recurringInfo: { expiration: '9999-12-31', frequency },
    },
    countedBuyer: `customer ${record.customerId}`,
    exemption: null,
    spending: card.writes,
    authenticator,
    merchantChallenges: authenticator !== null,
  }
}

async function providerOf(
  accountId: string,
  { services: { db } }: Pick<RequestContext, 'services'>,
): Promise<ThreedsProviderName> {
  const account = await findAccount(db, accountId)
  if (account === null) throw new Error(`The account ${accountId} of a subscription is gone.`)
  return account.threedsProvider
}

/** Shows what the reply about a payment has made of the subscription, without reading it again before it is written. */
async function shown(
  reply: Reply<Payment> | PendingReply<Payment>,
  opened: Opened,
  context: RequestContext,
): Promise<Reply<Recovery> | PendingReply<Recovery>> {
  const view = await viewOf({ ...opened, record: { ...opened.record, renewalPaymentId: null } }, context)
  const answered = (each: Reply<Payment>): Reply<Recovery> =>
    'body' in each
      ? {
          ...each,
          body: { ...view, amount: each.body.amount, state: stateBy(each.body), payment: toSessionPayment(each.body) },
        }
      : each
  if (!('end' in reply)) return answered(reply)
  return { meanwhile: () => reply.meanwhile().then(answered), end: reply.end.then(answered) }
}

function stateBy({ status }: Payment): Recovery['state'] {
  if (status === 'succeeded' || status === 'authorized') return 'paid'
  return status === 'requires_action' ? 'waiting' : 'processing'
}

/** What the buyer is asked to pay, with its tax: that of the payment under way, or of the one that would be made now. */
async function amountOf({ record, isCurrent }: Opened, context: RequestContext): Promise<number> {
  const { accountId, status, renewalPaymentId } = record
  if (!isCurrent || status !== 'past_due') return 0
  const underWay =
    renewalPaymentId === null ? null : await readPayment(renewalPaymentId, accountId, context.services.db)
  if (underWay !== null) return underWay.amount
  return endsUnpaid(record) ? 0 : (await pricePeriod(record, amountDue(record), context)).amount
}

async function viewOf({ record, isCurrent }: Opened, { services }: RequestContext): Promise<Omit<Recovery, 'amount'>> {
  const { accountId, terms, renewalPaymentId, paymentInstrumentId } = record
  const [store, payment, instrument, cards] = await Promise.all([
    findStore(terms.storeId, accountId, services.db),
    renewalPaymentId === null ? null : readPayment(renewalPaymentId, accountId, services.db),
    findInstrument(paymentInstrumentId, accountId, services.db),
    findCardSummaries([paymentInstrumentId], accountId, services.db),
  ])
  const isBuyers = payment !== null && payment.initiatedBy === 'buyer'
  const known = isBuyers ? payment : null
  return {
    subscriptionId: record.id,
    state: stateOf({ record, isCurrent }, payment),
    shop: store?.name ?? '',
    name: dueTerms(record).name,
    currency: terms.currency,
    card: instrument?.isActive === true ? (cards[0]?.card ?? null) : null,
    payment: known && toSessionPayment(withNextAction(known, services)),
  }
}

function stateOf({ record, isCurrent }: Opened, payment: Payment | null): Recovery['state'] {
  if (record.status === 'canceled') return 'ended'
  if (isCurrent && record.status === 'paused') return 'paused'
  if (!isCurrent || record.status !== 'past_due') return 'paid'
  if (payment === null) return endsUnpaid(record) ? 'ended' : 'open'
  return payment.initiatedBy === 'buyer' && payment.status === 'requires_action' ? 'waiting' : 'processing'
}
