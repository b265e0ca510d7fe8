import type { PlantedBug } from './plant.ts'

/** Bugs of what payments stand on: keys of requests, promotions, settings, webhooks, the audit log, the cluster, the disk. */
export const platformBugs: readonly PlantedBug[] = [
  {
    name: 'a key may be claimed twice',
    file: 'accounts/idempotency.ts',
    find: `WHERE idempotency_keys.expires_at <= ?
        OR (`,
    replace: `WHERE idempotency_keys.expires_at <= ? + 99999999999999
        OR (`,
  },
  {
    name: 'a claim without an answer is free as soon as anybody asks',
    file: 'accounts/idempotency.ts',
    find: `(idempotency_keys.lease_until <= ?`,
    replace: `(idempotency_keys.lease_until - 86400000 <= ?`,
  },
  {
    name: 'an answer is not kept',
    file: 'http/operations/idempotency.ts',
    find: `await commit(isKept(done.answer) ? [store(done.answer), ...writes] : writes, parts)`,
    replace: `await commit(writes, parts)`,
  },
  {
    name: 'faults are kept as the answer to a key',
    file: 'http/operations/idempotency.ts',
    find: `if (!(error instanceof ApiError) || !isKept(error)) throw error
    const answer = failed(error)`,
    replace: `if (!(error instanceof Error)) throw error
    const answer = failed(error instanceof ApiError ? error : new ApiError('unavailable', 'The service cannot reach its database.'))`,
  },
  {
    name: 'the answer is stored in a transaction of its own, before the work',
    file: 'http/operations/idempotency.ts',
    find: `await commit(isKept(done.answer) ? [store(done.answer), ...writes] : writes, parts)`,
    replace: `await commit(isKept(done.answer) ? [store(done.answer)] : [], parts)
      await commit(writes, parts)`,
  },
  {
    name: 'a request is answered before its writes are committed',
    file: 'http/operations/idempotency.ts',
    find: `await commit(isKept(done.answer) ? [store(done.answer), ...writes] : writes, parts)`,
    replace: `void commit(isKept(done.answer) ? [store(done.answer), ...writes] : writes, parts).catch(() => {})`,
  },
  {
    name: 'a promotion is used without a look at its limit',
    file: 'promotions/candidates.ts',
    find: `AND (usage_limit IS NULL OR usage_count + usage_reserved < usage_limit)`,
    replace: ``,
  },
  {
    name: 'the use of a promotion is counted and stays set aside',
    file: 'promotions/candidates.ts',
    find: `SET usage_reserved = usage_reserved - 1, usage_count = usage_count + 1`,
    replace: `SET usage_count = usage_count + 1`,
  },
  {
    name: 'a declined payment does not give the use of its promotion back',
    file: 'promotions/candidates.ts',
    find: `sql: 'UPDATE promotions SET usage_reserved = usage_reserved - 1 WHERE account_id = ? AND id = ?',`,
    replace: `sql: 'UPDATE promotions SET usage_reserved = usage_reserved WHERE account_id = ? AND id = ?',`,
  },
  {
    name: 'a changed resource overwrites what others have changed',
    file: 'changes/changes.ts',
    find: 'WHERE account_id = ? AND id = ? AND revision = ?`,',
    replace: 'WHERE account_id = ? AND id = ? AND revision >= ?`,',
  },
  {
    name: 'the id of a webhook is made anew for each try',
    file: 'events/attempt-delivery.ts',
    find: `const headers = signedHeaders({ id: event.id, body }, { secrets, nowMs })`,
    replace: `const headers = signedHeaders({ id: event.id + nowMs, body }, { secrets, nowMs })`,
  },
  {
    name: 'any answer of a receiver counts as an acknowledgement',
    file: 'events/attempt-delivery.ts',
    find: `if (status !== null && status >= 200 && status < 300) return { outcome: 'delivered' }`,
    replace: `if (status !== null) return { outcome: 'delivered' }`,
  },
  {
    name: 'a delivery without an answer is given up',
    file: 'events/attempt-delivery.ts',
    find: `if (waitMs === undefined) return { outcome: 'failed' }`,
    replace: `if (waitMs === undefined || status === null) return { outcome: 'failed' }`,
  },
  {
    name: 'a webhook that fails disables its endpoint',
    file: 'events/disable-endpoints.ts',
    find: `nowMs - ENDPOINT_PATIENCE_MS`,
    replace: `nowMs + ENDPOINT_PATIENCE_MS`,
  },
  {
    name: 'a webhook is signed at another time than it says',
    file: 'events/attempt-delivery.ts',
    find: `return { body, headers: { ...headers, 'user-agent': 'Tillwright-Webhooks/1' } }`,
    replace: `return { body, headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1), 'user-agent': 'Tillwright-Webhooks/1' } }`,
  },
  {
    name: 'two processes may seal the audit log at once',
    file: 'audit/seal.ts',
    find: `insertSeal(seal, macOfSeal(seal, { secrets })),
    moved,
    forgetUnsealed(accountId, rows),`,
    // Three guards: the number of the seal, the end of the chain, and the entries that wait.
    replace: `{ ...insertSeal(seal, macOfSeal(seal, { secrets })), sql: insertSeal(seal, '').sql.replace('INSERT INTO', 'INSERT OR REPLACE INTO') },
    { ...moved, sql: moved.sql.replace('head_sequence = ? AND pruned', 'head_sequence >= ? - 100 AND pruned') },
    { ...forgetUnsealed(accountId, rows), expect: undefined },`,
  },
  {
    name: 'each process has a rate limit of its own',
    file: 'accounts/rate-limiter.ts',
    find: 'renewal = renew({ subject, lease, bucket, nowUs, db })',
    replace: 'renewal = renew({ subject: subject + String(nowUs), lease, bucket, nowUs, db })',
  },
  {
    name: 'a service token may be spent again',
    file: 'vault/service-tokens.ts',
    find: `if (token.used_at !== null) throw used()
  return { sql: spend, params: [nowMs, caller.accountId, jti], expect: 1, onRefused: used }`,
    replace: `return { sql: spend.replace(' AND used_at IS NULL', ''), params: [nowMs, caller.accountId, jti], expect: 1, onRefused: used }`,
  },
  {
    name: 'a renewal does not end the hold on its subscription',
    file: 'subscriptions/outcomes.ts',
    find: `SET status = ?, period = ?, due_at = ?, scheduled_at = NULL, tries = 0, refused_instrument_id = NULL,
        renewal_payment_id = NULL, lease_until = 0, holder = NULL, updated_at = ?`,
    replace: `SET status = ?, period = ?, due_at = ?, scheduled_at = NULL, tries = 0, refused_instrument_id = NULL, updated_at = ?`,
  },
  {
    name: 'a renewal is due again at once',
    file: 'subscriptions/outcomes.ts',
    find: `params: [link.status, link.period, Date.parse(link.periodEnd), nowMs,`,
    replace: `params: [link.status, link.period - 1, Date.parse(link.periodEnd), nowMs,`,
  },
  {
    name: 'a changed subscription is charged as it was bought',
    file: 'subscriptions/amount-due.ts',
    find: `return termsOf(terms, itemChanges, paidPeriod(terms, period))`,
    replace: `return termsOf(terms, itemChanges, period)`,
  },
  {
    name: 'the number of a card is written beside the card',
    file: 'vault/cards.ts',
    find: `bin: number.slice(0, 6),`,
    replace: `bin: number,`,
  },
  {
    name: 'a member that was taken for dead goes on under its former id',
    file: 'cluster/membership.ts',
    find: `if (own.length === 0) return this.#joinAgain()`,
    replace: ``,
  },
  {
    name: 'a commit is acknowledged before its log is on the disk',
    file: 'storage/sqlite/connection.ts',
    find: `PRAGMA synchronous = FULL;`,
    replace: `PRAGMA synchronous = NORMAL;`,
  },
]
