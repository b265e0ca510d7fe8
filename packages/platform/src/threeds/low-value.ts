import type { Payment } from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import { type Database, defineTable, int, pick, rowReader, type Statement, text } from '../storage/index.ts'
import { LOW_VALUE_IN_A_ROW, lowValueSum } from './exemptions.ts'

/**
 * Payments of low value that a card has had since its buyer was authenticated last, over all processes. A row without a
 * payment is written by every transaction that adds one, so that they follow one another.
 */
export const lowValuePaymentsTable = defineTable('low_value_payments', {
  account_id: text,
  card_fingerprint: text,
  currency: text,
  payment_id: text,
  amount: int,
  created_at: int,
})

/** A card, as its payments of low value are counted. */
export interface CountedCard {
  accountId: string
  cardFingerprint: string
}

/** The counted payments of a card in a currency, amounts in minor units. @param card.except A payment to leave out. */
export async function countLowValue(
  {
    accountId,
    cardFingerprint,
    currency,
    except = '',
  }: CountedCard & { currency: string; except?: string | undefined },
  db: Database,
): Promise<{ payments: number; amount: number }> {
  const rows = readAmounts(await db.read(selectCounted, [accountId, cardFingerprint, currency, except]))
  return { payments: rows.length, amount: rows.reduce((sum, { amount }) => sum + amount, 0) }
}

const selectCounted = `SELECT amount FROM low_value_payments
  WHERE account_id = ? AND card_fingerprint = ? AND currency = ? AND payment_id NOT IN ('', ?)`
const readAmounts = rowReader(pick(lowValuePaymentsTable, 'amount'))

/**
 * The statements that count a payment whose exemption is asked for. They are refused where others were faster and the card
 * has had as many as it may: then it is decided again.
 */
export function takeLowValue(
  { id: paymentId, accountId, amount, currency }: Pick<Payment, 'id' | 'accountId' | 'amount' | 'currency'>,
  { cardFingerprint, nowMs }: { cardFingerprint: string; nowMs: number },
): Write[] {
  const card = [accountId, cardFingerprint, currency]
  return [
    {
      sql: `INSERT INTO low_value_payments (account_id, card_fingerprint, currency, payment_id, amount, created_at)
        VALUES (?, ?, ?, '', 0, ?)
        ON CONFLICT (account_id, card_fingerprint, currency, payment_id) DO UPDATE SET created_at = excluded.created_at`,
      params: [...card, nowMs],
    },
    {
      sql: `INSERT INTO low_value_payments (account_id, card_fingerprint, currency, payment_id, amount, created_at)
        SELECT ?, ?, ?, ?, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM (
          SELECT count(*) AS payments, COALESCE(SUM(amount), 0) AS together FROM low_value_payments
          WHERE account_id = ? AND card_fingerprint = ? AND currency = ? AND payment_id <> '') AS counted
        WHERE payments < ? AND together <= ?`,
      params: [...card, paymentId, amount, nowMs, ...card, LOW_VALUE_IN_A_ROW, lowValueSum(currency) - amount],
      expect: 1,
    },
  ]
}

/** Whether a payment is counted: the exemption that was asked for last is that of low value. */
export function isCountedLowValue({ attempts, routing }: Pick<Payment, 'attempts' | 'routing'>): boolean {
  return (attempts.at(-1)?.decision.sca ?? routing.sca)?.asked === 'low_value'
}

/** The statement for a payment that came to nothing, or for which the buyer was asked after all. */
export function giveBackLowValue({ id, accountId }: Pick<Payment, 'id' | 'accountId'>): Write {
  return { sql: 'DELETE FROM low_value_payments WHERE account_id = ? AND payment_id = ?', params: [accountId, id] }
}

/** The statement that begins to count anew, because the card's buyer was authenticated. */
export function resetLowValue({ accountId, cardFingerprint }: CountedCard): Write {
  return {
    sql: `DELETE FROM low_value_payments WHERE account_id = ? AND card_fingerprint = ? AND payment_id <> ''`,
    params: [accountId, cardFingerprint],
  }
}

/** How long a row that is only written to be waited for is kept, in milliseconds. */
const LOCK_KEPT_MS = 86_400_000

/** Deletes locks that no payment waits for any more. */
export function forgetLowValueLocks(nowMs: number): Statement {
  return {
    sql: `DELETE FROM low_value_payments WHERE payment_id = '' AND created_at < ?`,
    params: [nowMs - LOCK_KEPT_MS],
  }
}
