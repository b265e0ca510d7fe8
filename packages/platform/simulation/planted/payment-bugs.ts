import type { PlantedBug } from './plant.ts'

/** Bugs of what becomes of a payment: charges, authentication, follow-ups, disputes. */
export const paymentBugs: readonly PlantedBug[] = [
  {
    name: 'a time-out is treated as a decline',
    file: 'payments/charge/charge-card.ts',
    find: `const tooLate = clock.until(clock.now() + PROCESSOR_TIMEOUT_MS, answered.signal).then(() => unknown)`,
    replace: `const tooLate = clock.until(clock.now() + PROCESSOR_TIMEOUT_MS, answered.signal).then(() => ({ outcome: 'refused_before_acceptance', reason: '' }) as never)`,
  },
  {
    name: 'a broken connection is treated as a refusal',
    file: 'payments/charge/charge-card.ts',
    find: `'a processor gave no answer; the payment stays as it is until it does')
    return unknown`,
    replace: `'a processor gave no answer; the payment stays as it is until it does')
    return { outcome: 'refused_before_acceptance', reason: '' } as never`,
  },
  {
    name: 'the next processor is asked although the outcome is unknown',
    file: 'payments/charge/cascade.ts',
    find: `if (isOpenOrPaid(name)) return { stopped: null }`,
    replace: `if (outcome.outcome === 'unknown') return stepFrom({ payment, route, holder, code, outcome: { outcome: 'refused_before_acceptance', reason: '' } }, charging)
  if (isOpenOrPaid(name)) return { stopped: null }`,
  },
  {
    name: 'recovery declares a payment failed without asking its processor',
    file: 'payments/recover/recover-payments.ts',
    find: `payment.attempts.length === 0 ? null : await queryAttempt(payment, recovery)`,
    replace: `payment.attempts.length === 0 ? null : ({ outcome: 'refused_before_acceptance', reason: '' } as const)`,
  },
  {
    name: 'recovery takes an unknown outcome for a failure',
    file: 'payments/recover/recover-payments.ts',
    find: `if (outcome?.outcome === 'unknown') return`,
    replace: `if (outcome?.outcome === 'unknown') return recoverOneAs(row, recovery)
  async function recoverOneAs(...again: [AbandonedRow, Recovery]): Promise<void> {
    const blind = { ...again[1], driverOf: async () => ({ query: async () => ({ outcome: 'not_found' as const }) }) as never }
    return recoverOne(again[0], blind)
  }`,
  },
  {
    name: 'recovery finds no payment whose lease has run out',
    file: 'payments/recover/recover-payments.ts',
    find: "isDue: `(lease_until < ? OR ${holderIsGone('payments.holder')})`",
    replace: 'isDue: `lease_until < ? - 86400000000`',
  },
  {
    name: 'a recovered payment keeps the key of its request waiting',
    file: 'payments/recover/recover-payments.ts',
    find: `const stored = key === null ? [] : [answerClaim({ accountId, key }, answerOf(payment, reply, recovery))]`,
    replace: `const stored = key === null ? [] : [{ sql: 'UPDATE idempotency_keys SET lease_until = ? WHERE account_id = ? AND idempotency_key = ?', params: [9_000_000_000_000, accountId, key] }]`,
  },
  {
    name: 'captures, refunds and voids without an outcome are left',
    file: 'post-authorization/recover.ts',
    find: `due: [abandoned, waiting],`,
    replace: `due: [abandoned, waiting].slice(2),`,
  },
  {
    name: 'a refund is asked for again under another id',
    file: 'post-authorization/ask-processor.ts',
    find: `return driver.refund({ id, reference, amount, currency })`,
    replace: `return driver.refund({ id: id + Math.random().toString(36), reference, amount, currency })`,
  },
  {
    name: 'a refund without an answer counts as refused',
    file: 'post-authorization/recover.ts',
    find: `if (outcome.outcome === 'unknown' || (outcome.outcome === 'refused' && outcome.reason === 'unavailable')) return`,
    replace: `if (outcome.outcome === 'unknown') {
    const given = await completePostAuthorization({ postAuthorization, payment, processorId: at.processorId, heldBy }, { outcome: 'refused', reason: 'unavailable' }, { emitter: emitterOf(payment, emitterAt(accountId, services)), db: services.db })
    return void (await commitOutcome(given, { row, payment }, recovery))
  }`,
  },
  {
    name: 'what a refused refund had set aside is not given back',
    file: 'post-authorization/outcome.ts',
    find: `...(kind === 'refund' ? [releaseRefund(postAuthorization, payment)] : []),`,
    replace: `...(kind === 'refund' ? [] : []),`,
  },
  {
    name: 'the event of a void is forgotten',
    file: 'post-authorization/outcome.ts',
    find: `...emit('s_payment_canceled', { ...subject, properties: moved }, emitter),`,
    replace: ``,
  },
  {
    name: 'the event of a refund is told twice',
    file: 'post-authorization/outcome.ts',
    find: `requireBalance(payment),
      ...emit(`,
    replace: `requireBalance(payment),
      ...emit('s_payment_refunded', { ...subject, properties: { ...moved, refundId, refundAmount, refundedAmount } }, emitter),
      ...emit(`,
  },
  {
    name: 'a capture books its money on one side',
    file: 'payments/complete/capture-money.ts',
    find: `taken, heldBy, nowMs }),
    book({ payment, entry: captureId, booking: 'captured', amount }, nowMs),`,
    replace: `taken, heldBy, nowMs }),`,
  },
  {
    name: 'a void leaves the order open',
    file: 'post-authorization/outcome.ts',
    find: `moveOrder({ accountId, orderId, from: 'pending', to: 'canceled', nowMs }),`,
    replace: ``,
  },
  {
    name: 'a capture takes what was authorized instead of what was asked for',
    file: 'post-authorization/ask-processor.ts',
    find: `return driver.capture({ id, reference, amount, currency, isFinal })`,
    replace: `return driver.capture({ id, reference, amount: amount + 1, currency, isFinal })`,
  },
  {
    name: 'money of a card that was declined is not looked for when its processor tells of it',
    file: 'processor-events/receive-event.ts',
    find: `|| payment.amount === 0) return true`,
    replace: `|| payment.paymentMethod.type === 'card') return true`,
  },
  {
    name: 'what an event tells of an ended payment is believed without asking',
    file: 'payments/await/late-money.ts',
    find: `const outcome = await queryAttempt(payment, charging)`,
    replace: `const outcome = { outcome: 'succeeded', reference: 'world_' + lastAttempt(payment).id } as Awaited<ReturnType<typeof queryAttempt>>`,
  },
  {
    name: 'a refund that its processor had refused, and has made, is not put on record',
    file: 'processor-events/receive-event.ts',
    find: `let synced = await syncRefunds(reported, refunded, services)`,
    replace: `let synced = await syncRefunds({ ...reported, refunds: [] }, refunded, services)`,
  },
  {
    name: 'a refund that comes back is still counted as refunded',
    file: 'processor-events/sync.ts',
    find: `for (const reference of reversed) {`,
    replace: `for (const reference of reversed.slice(reversed.length)) {`,
  },
  {
    name: 'a buyer whose bank has said no is charged',
    file: 'payments/continue-payment.ts',
    find: `    case 'authenticated':
    case 'attempted':
      if (typeof route`,
    replace: `    case 'authenticated':
    case 'attempted':
    case 'failed':
      if (typeof route`,
  },
  {
    name: 'a directory server that gives no answer counts as one that has vouched for the buyer',
    file: 'payments/continue-payment.ts',
    find: `case 'attempted':
      if (typeof route === 'string') return withoutCard(payment, route, context)`,
    replace: `case 'attempted':
    case 'unavailable':
      if (typeof route === 'string') return withoutCard(payment, route, context)`,
  },
  {
    name: 'the proof of an earlier authentication is sent again',
    file: 'threeds/authentication-result.ts',
    find: `    authenticationValue,
    dsTransactionId,
    threeds`,
    replace: `    authenticationValue: [Reflect.get(authenticationResultOf, 'first')?.get(db) ?? authenticationValue].map((value) => (
      Reflect.set(authenticationResultOf, 'first', (Reflect.get(authenticationResultOf, 'first') ?? new WeakMap()).set(db, value)), value))[0],
    dsTransactionId,
    threeds`,
  },
  {
    name: "the word of the browser is taken for the bank's",
    file: 'threeds/notification.ts',
    find: `SET notified_at = ?, cres_status`,
    replace: `SET notified_at = ?, status = CASE '\${statusOf(sent)}' WHEN 'Y' THEN 'successful' ELSE status END, cres_status`,
  },
  {
    name: 'a session whose buyer has left is never ended',
    file: 'threeds/session-records.ts',
    find: `isDue: 'expires_at <= ? AND lease_until`,
    replace: `isDue: 'expires_at <= ? - 9999999999 AND lease_until`,
  },
  {
    name: "a merchant's server that gives no answer counts as one that agrees",
    file: 'hooks/ask-hook.ts',
    find: `if (answer === null && hook.onFailure === 'refuse') throw unanswered(kind, record)`,
    replace: ``,
  },
  {
    name: "what the merchant's server refuses is charged",
    file: 'payments/prepare/ask-merchant.ts',
    find: `if (risk?.answer?.decision === 'refuse' || isUnproven) {`,
    replace: `if (isUnproven) {`,
  },
  {
    name: "a buyer whom the merchant's server wants asked is not asked",
    file: 'payments/prepare/ask-merchant.ts',
    find: `return { asked, challenge: risk?.answer?.decision === 'challenge' }`,
    replace: `return { asked, challenge: false }`,
  },
  {
    name: 'an inquiry that becomes a chargeback withholds nothing',
    file: 'disputes/dispute-changes.ts',
    find: `    book({ payment, entry: id, booking: 'withheld', amount }, emitter.nowMs),
`,
    replace: ``,
  },
  {
    name: 'a dispute may be decided twice',
    file: 'disputes/dispute-changes.ts',
    find: `moveDispute(dispute, { to, amount }, closedMs),
      ...(booking === null ? [] : [book({ payment, entry, booking, amount, overturns }, nowMs)]),`,
    // The ledger takes no entry twice either: both guards are gone.
    replace: `{ ...moveDispute(dispute, { to, amount }, closedMs), expect: undefined },
      ...(booking === null ? [] : [book({ payment, entry: entry + emitter.newId('req'), booking, amount }, nowMs)]),`,
  },
  {
    name: 'what was won stays out of reach of refunds',
    file: 'disputes/dispute-changes.ts',
    find: `writes: [...writes, giveFree(dispute, dispute.amount)]`,
    replace: `writes`,
  },
  {
    name: 'what the bank has left of a dispute that is lost stays withheld',
    file: 'disputes/dispute-changes.ts',
    find: `      ...(left === 0 ? [] : [book({ payment, entry, booking: 'released', amount: left, overturns }, nowMs)]),
`,
    replace: ``,
  },
  {
    name: 'evidence without an answer counts as sent',
    file: 'disputes/evidence.ts',
    find: `if (answer.outcome !== 'unknown') return answer`,
    replace: `if (answer.outcome !== 'unknown') return answer
  if (answer.outcome === 'unknown') return { outcome: 'submitted' }`,
  },
  {
    name: 'a dispute that cannot be recorded yet is dropped',
    file: 'processor-events/receive-event.ts',
    find: `'a dispute at a processor cannot be recorded yet')
  return isThere`,
    replace: `'a dispute at a processor cannot be recorded yet')
  return true`,
  },
]
