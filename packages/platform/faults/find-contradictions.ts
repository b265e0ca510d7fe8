import type { EventRecord, PaymentRecord, Records } from './read-records.ts'

/**
 * Finds contradictions in a database: a row without its event or with two, an event of nothing, an order that is paid
 * and a payment that is not, counters that differ from the counted rows, a charge that belongs to no payment or is one
 * too many, a key whose effect happened twice.
 *
 * @param records Of a shop that was opened before any other write, so that every event since has its one delivery.
 * @param before The events from before there was an endpoint.
 * @returns A sentence for each; empty is what it should be.
 */
export function findContradictions(records: Records, before: ReadonlySet<string>): string[] {
  const events = records.events.filter(({ id }) => !before.has(id))
  return [
    ...productContradictions(records),
    ...paymentContradictions(records),
    ...chargeContradictions(records),
    ...ledgerContradictions(records),
    ...strayEvents(records),
    ...wrongCounts(records),
    ...events
      .filter(({ deliveries }) => deliveries !== 1)
      .map(({ id, deliveries }) => `event ${id} has ${deliveries} deliveries`),
    ...unbacked(records),
  ]
}

function productContradictions({ products, events }: Records): string[] {
  const counts = countBy(ofType(events, 's_product_created'), ({ properties }) => String(properties['productId']))
  return [
    ...products
      .filter(({ id }) => counts.get(id) !== 1)
      .map(({ id }) => `product ${id} has ${counts.get(id) ?? 0} events`),
    ...repeated(products.map(({ name }) => name)).map((name) => `the product "${name}" exists twice`),
  ]
}

/** The events of a payment, each once: those from its beginning, and those from its success. */
const BEGINNING = ['s_checkout_started', 's_order_created', 's_payment_created']
const SUCCESS = ['s_payment_succeeded', 's_order_paid']

function paymentContradictions({ payments, orders, events }: Records): string[] {
  const counts = countBy(events, ({ event_type, properties }) => `${event_type} ${String(properties['orderId'])}`)
  const orderStatus = new Map(orders.map(({ id, status }) => [id, status]))
  const problems = payments.flatMap(({ id, order_id, status, amount, captured_amount: captured }) => {
    const succeeded = captured > 0 || (amount === 0 && status === 'succeeded')
    const expected = new Map([
      ...BEGINNING.map((type) => [type, 1] as const),
      ...SUCCESS.map((type) => [type, Number(succeeded)] as const),
    ])
    const wrong = [...expected].filter(([type, count]) => (counts.get(`${type} ${order_id}`) ?? 0) !== count)
    const paid = orderStatus.get(order_id) === 'paid'
    return [
      ...wrong.map(([type, count]) => `payment ${id} is ${status} and should have ${count} ${type}`),
      ...(paid === succeeded
        ? []
        : [`payment ${id} is ${status}, its order is ${orderStatus.get(order_id) ?? 'missing'}`]),
    ]
  })
  const keys = payments.flatMap(({ idempotency_key: key }) => key ?? [])
  return [...problems, ...repeated(keys).map((key) => `the key ${key} made two payments`)]
}

function chargeContradictions({ payments, attempts, charges }: Records): string[] {
  const paymentOf = new Map(attempts.map(({ id, payment_id: paymentId }) => [id, paymentId]))
  const strays = charges
    .filter(({ attempt_id: id }) => !paymentOf.has(id))
    .map(({ attempt_id: id }) => `the charge ${id} belongs to no payment`)
  const taken = charges.filter(({ captured }) => captured > 0)
  const counts = countBy(taken, ({ attempt_id: id }) => paymentOf.get(id) ?? '')
  return [...strays, ...payments.flatMap((payment) => wrongCharges(payment, counts.get(payment.id) ?? 0))]
}

/** A payment under way may have been charged or not; it is never charged twice. */
function wrongCharges({ id, status, captured_amount: captured }: PaymentRecord, count: number): string[] {
  const allowed = status === 'processing' ? [0, 1] : [Number(captured > 0)]
  return allowed.includes(count) ? [] : [`payment ${id} is ${status} and was charged ${count} times`]
}

/** Every ledger sums to zero, and the processor holds what was captured and not refunded. */
function ledgerContradictions({ payments, ledgers }: Records): string[] {
  const ledgerOf = new Map(ledgers.map((ledger) => [ledger.payment_id, ledger]))
  return payments.flatMap(({ id, captured_amount: captured, refunded_amount: refunded }) => {
    const { total, held } = ledgerOf.get(id) ?? { total: 0, held: 0 }
    return [
      ...(total === 0 ? [] : [`the ledger of payment ${id} sums to ${total}`]),
      ...(held === captured - refunded
        ? []
        : [`payment ${id} has captured ${captured}, refunded ${refunded}, and its ledger holds ${held}`]),
    ]
  })
}

/** Whatever an event names must be there. */
function strayEvents({ products, payments, orders, events }: Records): string[] {
  const known = { productId: idsOf(products), paymentId: idsOf(payments), orderId: idsOf(orders) }
  return events.flatMap(({ id, event_type: type, properties }) =>
    Object.entries(known)
      .filter(([name, ids]) => name in properties && !ids.has(String(properties[name])))
      .map(([name]) => `${type} ${id} names a ${name} that does not exist`),
  )
}

/** Each span counts all events, and as processed those that are. */
function wrongCounts({ events, counts }: Records): string[] {
  const processed = events.filter((event) => event.processed).length
  if (counts.length === 0 && events.length > 0) return ['no event is counted']
  return counts
    .filter((count) => count.total !== events.length || count.processed !== processed)
    .map((count) => `of ${events.length} events, ${processed} processed, ${JSON.stringify(count)} are counted`)
}

/** A stored answer is only there together with what it tells of. */
function unbacked({ keys, products, payments }: Records): string[] {
  const existing = new Set([...idsOf(products), ...idsOf(payments)])
  return keys.flatMap(({ body }) => {
    if (body === null) return []
    const answer: { id?: string; productId?: string; error?: { paymentId?: string } } = JSON.parse(body)
    const id = answer.productId ?? answer.id ?? answer.error?.paymentId
    return id === undefined || existing.has(id) // a refusal may tell of nothing
      ? []
      : [`an answer is stored that tells of what does not exist: ${body}`]
  })
}

function ofType(events: readonly EventRecord[], type: string): EventRecord[] {
  return events.filter(({ event_type: its }) => its === type)
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id))
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

function repeated(texts: readonly string[]): string[] {
  return [...countBy(texts, (text) => text)].filter(([, count]) => count > 1).map(([text]) => text)
}
