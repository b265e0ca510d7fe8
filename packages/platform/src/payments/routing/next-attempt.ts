import type { PaymentAttempt } from '@tillwright/contract'
import { drawOf } from '../../ambient/draw-of.ts'
import type { Call } from '../../call.ts'
import type { Database } from '../../storage/database.ts'
import type { Charging } from './charging.ts'
import { pickProcessor, type Takes } from './pick-processor.ts'
import { liveDrivers } from './processors.ts'
import type { Route, RoutedCard } from './route.ts'
import { isOverSchemeLimit, schemeWindow } from './scheme-limit.ts'

/** The next attempt of a payment, or why there is none. */
export type NextAttempt =
  | { attempt: PaymentAttempt }
  | { stopped: 'scheme_limit' }
  | { stopped: 'no_processor_left'; dropped: PaymentAttempt['decision']['dropped'] }

/** Chooses who is asked next. The draw comes from the attempt's id, so that the choice can be repeated. */
export async function nextAttempt(
  { route, tried }: { route: Route; tried: readonly PaymentAttempt[] },
  { nowMs, newId }: Pick<Call, 'nowMs' | 'newId'>,
  { parts, circuit, hasDriver }: Pick<Charging, 'parts' | 'circuit' | 'hasDriver'>,
): Promise<NextAttempt> {
  const { accountId, card } = route
  const [processors, isOver] = await Promise.all([
    liveTakes(accountId, parts.db, hasDriver),
    isCardOver(card, { accountId, nowMs }, parts.db),
  ])
  if (isOver) return { stopped: 'scheme_limit' }
  const id = newId('att')
  const { processorId, ...decision } = pickProcessor({
    ...route,
    processors,
    brand: card.brand,
    tried: new Set(tried.map((attempt) => attempt.processorId)),
    failing: circuit.open(),
    draw: drawOf(id),
  })
  for (const { processorId: stopped, reason } of decision.dropped) {
    if (reason !== 'driver_unavailable') continue
    parts.log.error({ accountId, processorId: stopped }, 'a payment was kept from a processor that has no driver here')
  }
  if (processorId === null) return { stopped: 'no_processor_left', dropped: decision.dropped }
  const createdAt = new Date(nowMs).toISOString()
  const open = { status: 'processing', declineCode: null, outcome: null, advice: null, finishedAt: null } as const
  return { attempt: { id, processorId, ...open, decision, createdAt } }
}

/**
 * What each of the account's processors takes, without those that are archived.
 *
 * @param hasDriver Whether this platform has a driver of the name; one without takes nothing.
 */
export async function liveTakes(
  accountId: string,
  db: Database,
  hasDriver: Charging['hasDriver'] = () => true,
): Promise<Map<string, Takes>> {
  const processors = await liveDrivers(accountId, db)
  return new Map(
    [...processors].map(([id, { driver, config }]) => [id, { ...readTakes(config), isStopped: !hasDriver(driver) }]),
  )
}

/** A processor without a configuration, or without a list in it, takes everything. */
function readTakes(config: unknown): Takes {
  const { currencies = null, brands = null }: Partial<Takes> = typeof config === 'string' ? JSON.parse(config) : {}
  return { currencies, brands }
}

/** Whether the card was declined as often as its network allows, on whichever processor of the account. */
async function isCardOver(
  { brand, fingerprint }: RoutedCard,
  { accountId, nowMs }: { accountId: string; nowMs: number },
  db: Database,
): Promise<boolean> {
  const window = schemeWindow(brand)
  if (window === null) return false
  const rows = await db.read(selectDeclines, [accountId, fingerprint, nowMs - window.withinMs, window.declines])
  const declinedAtMs = rows.map((row) => Number(row['created_at']))
  return isOverSchemeLimit(brand, declinedAtMs, nowMs)
}

const selectDeclines = `SELECT created_at FROM payment_attempts
  WHERE account_id = ? AND card_fingerprint = ? AND status = 'declined' AND created_at > ?
  ORDER BY created_at DESC LIMIT ?`
