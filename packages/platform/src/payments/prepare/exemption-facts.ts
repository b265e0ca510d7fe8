import type { NewPayment } from '@tillwright/contract'
import type { PayingInstrument } from '../../customers/index.ts'
import { paymentsTable } from '../../ledger/index.ts'
import { liveDrivers, readProcessorSettings } from '../../processors/index.ts'
import type { RequestContext } from '../../request-context.ts'
import type { Charging, NextAttempt, Route } from '../../routing/index.ts'
import { type Database, pick, rowReader } from '../../storage/index.ts'
import { countLowValue, type ExemptionFacts } from '../../threeds/index.ts'

/** Facts that decide on exemptions, before it is known whether the buyer has to be authenticated anyway. */
export type KnownExemptionFacts = Omit<ExemptionFacts, 'isWanted' | 'authenticates'>

/** The fields of a request, or of a recorded payment, that decide whether an exemption is possible. */
type AskedFor = Pick<NewPayment, 'initiatedBy' | 'authenticationType'> & {
  setupFutureUsage?: NewPayment['setupFutureUsage'] | null
}

/** A payment whose next processor is picked. */
export interface ExemptionSubject {
  body: AskedFor
  instrument: Pick<PayingInstrument, 'consent' | 'isTrusted' | 'segment'>
  route: Route
  amount: number
  /** Whether it begins to pay for a price that recurs. */
  isRecurring: boolean
  next: NextAttempt | null
  /** The payment where it is on record: what it counts itself is left out. */
  paymentId?: string
  /** Capabilities of drivers; unknown unless given. */
  capabilitiesOf?: Charging['capabilitiesOf']
}

/** Reads the facts that decide on exemptions of a payment; `null` where its flow asks for none, and for a preview. */
export async function exemptionFacts(
  { body, instrument, route, amount, isRecurring, next, paymentId, capabilitiesOf }: ExemptionSubject,
  { services }: Pick<RequestContext, 'services'>,
): Promise<KnownExemptionFacts | null> {
  const { accountId, flow, card, currency } = route
  if (flow.exemptionPolicy == null || route.isPreview) return null
  if (body.initiatedBy === 'merchant') return absentFacts(amount, currency)
  const { exemptions } = flow.exemptionPolicy
  const counted = { accountId, cardFingerprint: card.fingerprint, currency, except: paymentId }
  const [processor, lowValue, seriesAmount] = await Promise.all([
    findProcessor(next, { accountId, capabilitiesOf }, services.db),
    exemptions.includes('low_value') ? countLowValue(counted, services.db) : none,
    exemptions.includes('recurring') ? findSeriesAmount({ body, instrument, accountId, currency }, services.db) : null,
  ])
  return {
    initiatedBy: 'buyer',
    amount,
    currency,
    beginsAgreement: isRecurring || agreesToMore(body, instrument),
    ...processor,
    lowValue,
    seriesAmount,
    isTrusted: instrument.isTrusted,
    isCommercial: instrument.segment === 'commercial',
  }
}

const none = { payments: 0, amount: 0 }

/** A charge in the buyer's absence, of which nothing else has to be known. */
export function absentFacts(amount: number, currency: string): KnownExemptionFacts {
  return {
    initiatedBy: 'merchant',
    amount,
    currency,
    beginsAgreement: false,
    acquirer: null,
    possible: null,
    lowValue: none,
    seriesAmount: null,
    isTrusted: false,
    isCommercial: false,
  }
}

/** Whether a payment makes an agreement that there is none for yet: a later one of a series refers to the first. */
function agreesToMore(
  { setupFutureUsage, authenticationType }: AskedFor,
  { consent }: Pick<PayingInstrument, 'consent'>,
): boolean {
  if (setupFutureUsage === 'off_session') return true
  return authenticationType !== 'payment-transaction' && consent?.usage !== 'off_session'
}

/** The acquirer of the processor that is asked next, and the exemptions that it can ask for. */
async function findProcessor(
  next: NextAttempt | null,
  { accountId, capabilitiesOf }: { accountId: string; capabilitiesOf?: Charging['capabilitiesOf'] },
  db: Database,
): Promise<Pick<ExemptionFacts, 'acquirer' | 'possible'>> {
  if (next === null || !('attempt' in next)) return { acquirer: null, possible: null }
  const processor = (await liveDrivers(accountId, db)).get(next.attempt.processorId)
  if (processor === undefined) return { acquirer: null, possible: null }
  const { acquirer } = readProcessorSettings(processor.config)
  return { acquirer, possible: capabilitiesOf?.(processor.driver)?.exemptions ?? null }
}

/** The amount of the payment with which the buyer agreed to the series, in the currency of this one. */
async function findSeriesAmount(
  {
    body,
    instrument,
    accountId,
    currency,
  }: Pick<ExemptionSubject, 'body' | 'instrument'> & { accountId: string; currency: string },
  db: Database,
): Promise<number | null> {
  const { consent } = instrument
  if (body.authenticationType !== 'recurring-transaction' || consent?.usage !== 'off_session') return null
  const [first] = readFirst(await db.read(selectFirst, [accountId, consent.paymentId]))
  const isAuthenticated = first !== undefined && first.threeds_session_id !== null
  return isAuthenticated && first.currency === currency ? first.amount : null
}

const selectFirst = 'SELECT amount, currency, threeds_session_id FROM payments WHERE account_id = ? AND id = ?'
const readFirst = rowReader(pick(paymentsTable, 'amount', 'currency', 'threeds_session_id'))
