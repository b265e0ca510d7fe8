import type { Dispute } from '../world/bank-disputes.ts'
import type { Town } from '../world/people.ts'
import type { Site } from '../world/platforms.ts'

/** Recorded disputes match those of the banks, their money is booked, and acknowledged evidence has arrived. */
export function wrongDisputes({ site, town }: { site: Site; town: Town }): string[] {
  const { server, bank } = site
  const rows = server.rows(
    'SELECT id, payment_id, reference, kind, status, amount, evidence_at FROM disputes ORDER BY id',
    [],
  )
  const byReference = new Map(rows.map((row) => [row['reference'], row]))
  const lost = [...bank.disputes.values()].flatMap((dispute) => {
    const { reference, kind, status } = dispute
    const row = byReference.get(reference)
    if (row === undefined) return [`${reference} is on no record`]
    const here = [row['kind'], row['status'], row['amount']].join(' ')
    const there = amountsOf(dispute).map((amount) => [kind, status, amount].join(' '))
    return there.includes(here) ? [] : [`${reference} is ${here} on record, and ${there.join(' or ')} at the bank`]
  })
  const unsent = rows.flatMap(({ id, reference, evidence_at: sentMs }) => {
    const arrived = [...bank.disputes.values()].find((each) => each.reference === reference)?.evidence.size ?? 0
    const acknowledged = town.memory.evidence.get(String(id)) ?? 0
    return [
      ...(sentMs === null || arrived > 0 ? [] : [`evidence of ${String(id)} counts as sent, and has not arrived`]),
      ...(acknowledged <= arrived
        ? []
        : [`evidence of ${String(id)} was acknowledged ${acknowledged} times, and has arrived ${arrived} times`]),
      ...(sentMs === null && acknowledged > 0
        ? [`evidence of ${String(id)} was acknowledged, and is on no record`]
        : []),
    ]
  })
  return [...lost, ...unsent, ...wrongReserves(site), ...wrongStories(site)]
}

/** What a dispute may be on record with: when it was won after all, the loss of a part may have been heard of before. */
function amountsOf({ status, amount, taken, isRedecided }: Dispute): number[] {
  if (status === 'lost') return [taken ?? amount]
  return isRedecided && taken !== null ? [amount, taken] : [amount]
}

/** Disputed and lost amounts are reserved from refunds, and booked in their ledger accounts. */
function wrongReserves({ server }: Site): string[] {
  return server
    .rows(
      `SELECT p.id, p.disputed_amount AS kept,
        (SELECT coalesce(sum(amount), 0) FROM disputes d WHERE d.payment_id = p.id AND d.status <> 'won') AS disputed,
        (SELECT coalesce(sum(amount), 0) FROM disputes d WHERE d.payment_id = p.id AND d.status = 'lost') AS lost,
        (SELECT coalesce(sum(amount), 0) FROM ledger_entries l WHERE l.payment_id = p.id AND l.ledger_account = 'losses') AS booked,
        (SELECT coalesce(sum(amount), 0) FROM ledger_entries l WHERE l.payment_id = p.id AND l.ledger_account = 'disputes') AS withheld
      FROM payments p ORDER BY p.id`,
      [],
    )
    .flatMap(({ id, kept, disputed, lost, booked, withheld }) => [
      ...(kept === disputed
        ? []
        : [`${String(id)} keeps ${String(kept)} from refunds, of ${String(disputed)} disputed`]),
      ...(lost === booked ? [] : [`${String(id)} has lost ${String(lost)}, and ${String(booked)} is booked`]),
      ...(withheld === 0 ? [] : [`${String(withheld)} of ${String(id)} is still withheld`]),
    ])
}

/** Each dispute has an event when it opens, one when it becomes a chargeback, and one for each decision that was heard of. */
function wrongStories({ server, bank }: Site): string[] {
  const redecided = new Set([...bank.disputes.values()].flatMap((each) => (each.isRedecided ? [each.reference] : [])))
  const counts = new Map<string, number>()
  const events = server.rows(`SELECT event_type, properties FROM events WHERE event_type LIKE 's_dispute_%'`, [])
  for (const { event_type: type, properties } of events) {
    const { disputeId } = JSON.parse(String(properties))
    counts.set(`${String(type)} ${disputeId}`, (counts.get(`${String(type)} ${disputeId}`) ?? 0) + 1)
  }
  return server.rows('SELECT id, reference, status FROM disputes', []).flatMap(({ id, reference, status }) => {
    const count = (what: string) => counts.get(`s_dispute_${what} ${String(id)}`) ?? 0
    const [now, before] = [count(String(status)), count(status === 'won' ? 'lost' : 'won')]
    const isReported =
      [1, 2].includes(count('opened')) && now === 1 && before <= (redecided.has(String(reference)) ? 1 : 0)
    return isReported
      ? []
      : [`${String(id)} is ${String(status)}, and was told ${count('opened')}, ${before} and ${now} times`]
  })
}
