import { verifyAudit } from '../../src/audit/index.ts'
import type { Plan } from '../plan.ts'
import type { Charge } from '../world/bank.ts'
import { CARD_NUMBERS } from '../world/card-form.ts'
import type { Answered } from '../world/client.ts'
import type { Fleet } from '../world/fleet.ts'
import type { Town } from '../world/people.ts'
import type { PlatformProcess, Site } from '../world/platforms.ts'
import { PROMOTION } from '../world/shop.ts'
import { leftBlobs, lostPluginSettings, wrongDeployments } from './deployments.ts'
import { wrongDisputes } from './disputes.ts'
import { unheardMerchant } from './merchant.ts'
import { ON_TIME, type PaymentRow, payments } from './payment-rows.ts'
import { waiting } from './at-rest.ts'
import { wrongQuantities, wrongSubscriptions } from './subscriptions.ts'
import { unfinishedUpgrade } from './upgrade.ts'
import { wrongWebhooks } from './webhooks.ts'

/** The inputs to judging a world. `live` runs the world until a condition holds. */
export interface Judging {
  site: Site
  town: Town
  process: PlatformProcess | undefined
  fleet: Fleet
  plan: Plan
  live: (until: () => boolean) => Promise<void>
}

/** Judges a world that has come to rest, and notes each broken invariant as a problem. */
export async function judge(judging: Judging): Promise<void> {
  const { world } = judging.site
  await judgeAudit(judging)
  for (const [invariant, find] of Object.entries(invariants)) {
    for (const problem of find(judging).slice(0, 3)) world.fail(`${invariant}: ${problem}`)
  }
}

/** Checks of the end state. Each returns its problems. */
const invariants: Readonly<Record<string, (judging: Judging) => string[]>> = {
  money: wrongMoney,
  idempotency: wrongAnswers,
  wanted: lostWishes,
  events: wrongEvents,
  webhooks: wrongWebhooks,
  promotions: wrongPromotions,
  disputes: wrongDisputes,
  merchant: unheardMerchant,
  settings: (judging) => [...lostSettings(judging), ...lostPluginSettings(judging)],
  deployments: wrongDeployments,
  files: ({ site, plan }) => (plan.authors > 0 ? leftBlobs(site) : []),
  limits: brokenLimits,
  waiting: stillWaiting,
  subscriptions: wrongSubscriptions,
  'changed subscriptions': wrongQuantities,
  cards: cardsOutside,
  errors: unexpectedErrors,
  upgrade: unfinishedUpgrade,
}

/** The books of the banks, the rows of the payments and the orders agree. */
function wrongMoney({ site }: Judging): string[] {
  const { server, bank } = site
  const attempts = server.rows('SELECT id, payment_id, status FROM payment_attempts', [])
  const chargesOf = new Map<string, Charge[]>()
  for (const { id, payment_id: paymentId } of attempts) {
    const charge = bank.charges.get(String(id))
    if (charge !== undefined) chargesOf.set(String(paymentId), [...(chargesOf.get(String(paymentId)) ?? []), charge])
  }
  const orders = new Map(server.rows('SELECT id, status FROM orders', []).map(({ id, status }) => [id, status]))
  return payments(site).flatMap((payment) => {
    const charges = (chargesOf.get(payment.id) ?? []).filter(({ authorised }) => authorised > 0)
    const [captured, refunded] = [sum(charges, 'captured'), sum(charges, 'refunded')]
    const isHeld = charges.some(({ isVoided }) => !isVoided)
    const isGood = ['authorized', 'succeeded', 'partially_refunded', 'refunded'].includes(payment.status)
    const order = orders.get(payment.order_id)
    return [
      ...(captured === payment.captured_amount
        ? []
        : [`${payment.id} says ${payment.captured_amount} captured, the bank ${captured}`]),
      ...(refunded === payment.refunded_amount
        ? []
        : [`${payment.id} says ${payment.refunded_amount} refunded, the bank ${refunded}`]),
      ...(isHeld === (isGood && payment.amount > 0)
        ? []
        : [`${payment.id} is ${payment.status}, and the bank ${isHeld ? 'holds' : 'does not hold'} its money`]),
      ...(order === orderStatusOf(payment) ? [] : [`${payment.id} is ${payment.status}, its order ${order}`]),
    ]
  })
}

function orderStatusOf({ status, isPaidLate }: PaymentRow): string {
  if (isPaidLate) return 'pending' // the buyer was told that the payment had failed
  switch (status) {
    case 'succeeded':
    case 'partially_refunded':
      return 'paid'
    case 'refunded':
      return 'refunded'
    case 'canceled':
      return 'canceled'
    default:
      return 'pending' // a declined payment leaves its order open
  }
}

function sum(charges: readonly Charge[], what: 'captured' | 'refunded'): number {
  return charges.reduce((total, charge) => total + charge[what], 0)
}

/** One key, one answer: a final answer is repeated byte for byte. */
function wrongAnswers({ town }: Judging): string[] {
  const byKey = Map.groupBy(town.network.answered.filter(isKept), ({ call }) => `${call.apiKey} ${call.idempotencyKey}`)
  return [...byKey.values()].flatMap(([first, ...others]) =>
    others
      .filter(({ status, text }) => first !== undefined && (status !== first.status || text !== first.text))
      .map(
        ({ call, status, text }) =>
          `${call.idempotencyKey} was answered ${first?.status} ${first?.text}, then ${status} ${text}`,
      ),
  )
}

function isKept({ status, text }: Answered): boolean {
  return status < 500 && status !== 429 && !text.includes('"code":"idempotency_key_in_use"')
}

/** Everything acknowledged exists, and nothing was executed twice under one key. */
function lostWishes({ site, town }: Judging): string[] {
  const ids = new Set(payments(site).map(({ id }) => id))
  const said = new Map<string, string>()
  return [...town.memory.wanted].flatMap(([key, answer]) => {
    if (answer === null) return [`${key} was never answered`]
    const id: unknown = JSON.parse(answer.text === '' ? '{}' : answer.text)['id']
    if (!/-pay-\d+$/.test(key) || typeof id !== 'string') return []
    if (!ids.has(id)) return [`${key} was answered with ${id}, which does not exist`]
    const other = said.get(id)
    said.set(id, key)
    return other === undefined ? [] : [`${other} and ${key} were answered with the same payment ${id}`]
  })
}

/** Each payment has all of its events, each of them once. */
function wrongEvents({ site }: Judging): string[] {
  const counts = new Map<string, number>()
  for (const { event_type: type, properties } of site.server.rows('SELECT event_type, properties FROM events', [])) {
    const { paymentId } = JSON.parse(String(properties))
    if (typeof paymentId === 'string') counts.set(`${type} ${paymentId}`, (counts.get(`${type} ${paymentId}`) ?? 0) + 1)
  }
  const refunds = new Map(
    site.server
      .rows(
        `SELECT payment_id, sum(status = 'succeeded' OR failure = 'reversed') AS made, sum(status = 'failed') AS failed
          FROM payment_follow_ups WHERE kind = 'refund' GROUP BY payment_id`,
        [],
      )
      .map(({ payment_id: id, made, failed }) => [id, { made: Number(made), failed: Number(failed) }]),
  )
  return payments(site).flatMap(({ id, status, amount, captured_amount: captured, isPaidLate }) => {
    const expected: Record<string, number> = {
      s_payment_created: 1,
      s_payment_succeeded: Number((captured > 0 || (amount === 0 && status === 'succeeded')) && !isPaidLate),
      s_payment_paid_late: Number(isPaidLate),
      s_payment_refunded: refunds.get(id)?.made ?? 0,
      s_payment_refund_failed: refunds.get(id)?.failed ?? 0,
      s_payment_canceled: Number(status === 'canceled'),
      s_payment_failed: Number(status === 'declined' || status === 'failed' || isPaidLate),
    }
    return Object.entries(expected)
      .filter(([type, count]) => (counts.get(`${type} ${id}`) ?? 0) !== count)
      .map(
        ([type, count]) =>
          `${id} is ${status}, and ${type} was told ${counts.get(`${type} ${id}`) ?? 0} times instead of ${count}`,
      )
  })
}

/** A promotion is used once for each order paid with it. */
function wrongPromotions({ site, town }: Judging): string[] {
  const [row] = site.server.rows('SELECT usage_count, usage_reserved FROM promotions WHERE id = ?', [
    town.shop.promotionId,
  ])
  const [paid] = site.server.rows(
    `SELECT count(*) AS n FROM orders o WHERE pricing LIKE '%"promotionId":"' || ? || '"%' AND EXISTS (
      SELECT 1 FROM payments p WHERE p.order_id = o.id AND p.status IN ('succeeded', 'partially_refunded', 'refunded') AND ${ON_TIME})`,
    [town.shop.promotionId],
  )
  const [used, reserved, orders] = [Number(row?.['usage_count']), Number(row?.['usage_reserved']), Number(paid?.['n'])]
  return [
    ...(used === orders ? [] : [`${orders} orders are paid with it, and ${used} uses are counted`]),
    ...(reserved === 0 ? [] : [`${reserved} uses are still set aside`]),
    ...(used <= PROMOTION.usageLimit ? [] : [`it was used ${used} times of ${PROMOTION.usageLimit}`]),
  ]
}

/** Acknowledged changes of a configuration edited concurrently are in it, once each. */
function lostSettings({ site, town }: Judging): string[] {
  const [row] = site.server.rows(`SELECT resource ->> 'config' AS config FROM stores WHERE id = ?`, [town.shop.storeId])
  const entries = String(row?.['config'] ?? '').split(',')
  const count = (entry: string) => entries.filter((each) => each === entry).length
  return town.memory.merged
    .filter((entry) => count(entry) !== 1)
    .map((entry) => `${entry} was acknowledged, and is in the configuration ${count(entry)} times`)
}

/** In no span of time are more requests allowed than the bucket holds and refills. */
function brokenLimits({ town, plan }: Judging): string[] {
  // Buckets fill by the database's clock: setting it forward fills them.
  if (plan.events.some(({ fault }) => fault === 'database.clock')) return []
  const { perMinute, burst } = town.shop.limited
  const times = town.memory.allowedMs.toSorted((a, b) => a - b)
  const problems: string[] = []
  for (let from = 0; from < times.length; from++) {
    for (let to = from; to < times.length; to++) {
      const spanMs = (times[to] ?? 0) - (times[from] ?? 0) + SLACK_MS
      const most = burst + Math.ceil((spanMs / 60_000) * perMinute)
      if (to - from + 1 > most) problems.push(`${to - from + 1} requests were allowed within ${spanMs} ms, of ${most}`)
    }
  }
  return problems
}

/** The longest that answers travel, and the most that clocks differ. */
const SLACK_MS = 10_500

/** Nothing is waiting, except for a person. */
function stillWaiting({ site }: Judging): string[] {
  const untold = site.bank.left()
  const found = Object.entries({ ...waiting, ...left }).flatMap(([what, sql]) => {
    const rows = site.server.rows(sql, [])
    return rows.length === 0 ? [] : [`${rows.length} ${what}, such as ${String(rows[0]?.['id'])}`]
  })
  return untold === 0
    ? found
    : [...found, `${untold} events of processors that are not taken, or disputes that are not decided`]
}

/** Rows without a worker that must not remain. */
const left: Readonly<Record<string, string>> = {
  'amounts that are set aside for a refund': 'SELECT id FROM payments WHERE refund_reserved <> refunded_amount',
  'payments that wait for a buyer who is too late': `SELECT id FROM payments WHERE status = 'requires_action'`,
  'sessions of 3-D Secure that have not ended': 'SELECT id FROM threeds_sessions WHERE ended_at IS NULL',
  'attempts without an outcome of payments that are over': `SELECT a.id FROM payment_attempts a JOIN payments p ON p.id = a.payment_id
    WHERE a.status NOT IN ('authorized', 'succeeded', 'declined', 'failed') AND p.status <> 'requires_action'`,
}

/** Card numbers are nowhere in the clear: not in a row, a webhook, an answer or a log line. */
function cardsOutside({ site, town }: Judging): string[] {
  const { server, receivers, logged } = site
  const holds = (text: string) => CARD_NUMBERS.some((number) => text.includes(number))
  const tables = server.rows(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`, [])
  const inRows = tables.flatMap(({ name }) =>
    server.rows(`SELECT * FROM ${String(name)}`, []).some((row) => holds(JSON.stringify(row)))
      ? [`in a row of ${name}`]
      : [],
  )
  return [
    ...inRows,
    ...(receivers.received.some(({ body }) => holds(body)) ? ['in the body of a webhook'] : []),
    ...(logged.some(holds) ? ['in a line of the log'] : []),
    ...(town.network.answered.some(({ text }) => holds(text)) ? ['in an answer'] : []),
  ]
}

/** No request was answered 500, and no process has logged a bug: faults outside the platform are no bugs of it. */
function unexpectedErrors({ site, town }: Judging): string[] {
  const answers = town.network.answered.filter(({ status }) => status === 500)
  const lines = site.logged.filter(
    (line) => line.includes('"level":50') && /request failed|RangeError|TypeError|invariant/.test(line),
  )
  const unswept = site.logged.filter(
    (line) => line.includes('could not be swept') && !/"(?:type|kind)":"(?:Database|Blobs)\w+"/.test(line),
  )
  return [
    ...answers.map(({ call }) => `${call.path} with the key ${call.idempotencyKey} was answered 500`),
    ...[...lines, ...unswept].map((line) => line.slice(0, 600)),
  ]
}

/** The chain of the audit log is unbroken. */
async function judgeAudit({ site, process, live }: Judging): Promise<void> {
  const { world } = site
  const services = process?.platform?.services
  if (process === undefined || services === undefined) return world.fail('waiting: no process serves in the end')
  let isVerified = false
  process.host.do(() => {
    verifyAudit(services)
      .then((verdicts) => {
        for (const { accountId, problems, entries } of verdicts) {
          if (problems.length > 0)
            world.fail(`audit: the log of ${accountId} does not fit: ${JSON.stringify(problems[0])}`)
          if (entries === 0 && accountId.startsWith('acc_')) world.fail(`audit: the log of ${accountId} is empty`)
        }
      })
      .catch((error: unknown) => world.fail(`audit: it cannot be verified: ${String(error)}`))
      .finally(() => (isVerified = true))
  })
  await live(() => isVerified)
  if (!isVerified) world.fail('audit: verifying it does not end')
}
