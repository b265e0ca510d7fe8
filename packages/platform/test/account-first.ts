import type { Database, Statement } from '../src/storage/database.ts'

/** Writes that need not begin with the account, each with its reason. */
const exempt: readonly RegExp[] = [
  // A worker's, over the deliveries of all accounts, which it claims in the order of endpoints and past what is locked.
  /^\s*WITH due AS MATERIALIZED/,
  /^\s*UPDATE webhook_deliveries\s+SET (state|next_attempt_at) =/,
  // One row that a single request knows of, and no other.
  /^\s*UPDATE idempotency_keys SET status =/,
  // It stands for another company's database.
  /^\s*(INSERT INTO|UPDATE|DELETE FROM) simulator_(charges|moves|orders|reversals)/,
  // The keys' own, which belong to no account, and rows of all accounts that are sealed again in the order of their keys.
  /^\s*(INSERT INTO|UPDATE|DELETE FROM) (vault_keys|data_keys|data_key_wraps|key_uses|reseals)/,
  /^\s*UPDATE (cards|vault_keys|stores|processors|webhook_endpoints|hooks) SET (sealed_\w+|credentials|secrets) = \? WHERE (account_id = \? AND )?id = \? AND/,
  /^\s*(INSERT INTO|DELETE FROM) (code_recipients|code_key_wraps)/,
  // The sweeper's, over the assets of all accounts and the bytes behind them, which belong to none.
  /^\s*(DELETE FROM plugin_(assets|blobs)|UPDATE plugin_blobs SET doomed_at)/,
  // Recovery's, over the work of all accounts that no process holds.
  /^\s*UPDATE (payments|payment_follow_ups) SET lease_until = \?, holder = \?/,
  // The same work, and renewals, given back by who may have taken it.
  /^\s*UPDATE (payments|payment_follow_ups) SET lease_until = 1\s+WHERE (status = '(processing|pending)'|expires_at IS NOT NULL) AND holder = \?/,
  /^\s*UPDATE subscriptions SET lease_until = 0, holder = NULL\s+WHERE holder = \?/,
  // One process at a time seals and prunes an account's log, and no other changes this row.
  /^\s*UPDATE audit_chains SET/,
  // One process at a time changes the schema.
  /^\s*(UPDATE|INSERT INTO) (schema_state|migrations)\b/,
  // The record of the last `tillwright backup`.
  /^\s*(INSERT INTO|UPDATE) last_backup\b/,
  // A process's own row, and the time that all share: neither belongs to an account.
  /^\s*(INSERT INTO|UPDATE|DELETE FROM) processes/,
  // A sign-in that has begun: whose it will be is not known yet.
  /^\s*(INSERT INTO|DELETE FROM) sign_in_ceremonies/,
  // By its subject alone, which is the account or an address.
  /rate_buckets/,
]

/**
 * Results of deliveries are recorded for all accounts at once; each statement has its own, so transactions can be
 * split.
 */
const OVER_ACCOUNTS = /^\s*UPDATE webhook_deliveries\b/

/** Watches what platforms write. */
export interface Watch {
  /**
   * Begins with a database.
   *
   * @returns The same database without the watch, for callers that may write anything, such as a test.
   */
  over(watched: Database): Database
  /** @throws When a transaction has begun with another text than its account; the message names the statements. */
  end(): void
}

/**
 * The first text of every transaction has to be its account, or the groups of several processes lock each other out. A
 * transaction without any text is a worker's, over all accounts. No transaction touches two accounts.
 */
export function accountFirst(): Watch {
  const strangers = new Set<string>()
  const mixed = new Set<string>()
  return {
    over(watched) {
      const write = watched.write.bind(watched)
      watched.write = (transaction) => {
        const first = transaction.find(({ shared }) => !shared)
        if (first !== undefined && !beginsWithAccount(first)) strangers.add(first.sql)
        const isOver = transaction.some(({ sql }) => OVER_ACCOUNTS.test(sql))
        if (accountsOf(transaction).size > 1 && !isOver) mixed.add(transaction.map(({ sql }) => sql).join(';\n'))
        return write(transaction)
      }
      return { ...watched, write }
    },
    end() {
      if (mixed.size > 0) throw new Error(`Transactions that touch several accounts:\n${[...mixed].join('\n\n')}`)
      if (strangers.size === 0) return
      throw new Error(`Transactions that do not begin with their account:\n${[...strangers].join('\n')}`)
    },
  }
}

/** Distributed databases keep the rows of an account in one place, and commit there in one step. */
function accountsOf(transaction: readonly Statement[]): ReadonlySet<string> {
  const params = transaction.filter(({ shared }) => !shared).flatMap((statement) => statement.params)
  return new Set(params.filter((param) => typeof param === 'string' && ACCOUNT.test(param)).map(String))
}

const ACCOUNT = /^acc_[0-9A-Za-z]{22}$/

function beginsWithAccount({ sql, params }: Statement): boolean {
  const text = params.find((param) => typeof param === 'string')
  // `platform` stands for the account of what belongs to none, such as its keys, in the audit log.
  return text === undefined || text === 'platform' || text.startsWith('acc_') || exempt.some((each) => each.test(sql))
}
