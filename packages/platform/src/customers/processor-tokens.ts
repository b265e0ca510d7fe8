import type { PaymentInstrument } from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import { among, type Database, rowReader } from '../storage/index.ts'
import { processorTokensTable } from './tables.ts'

type ShownToken = PaymentInstrument['processorTokens'][number]

/** Processors' tokens for the cards of instruments, by the instrument's id, oldest first. */
export async function findProcessorTokens(
  instrumentIds: readonly string[],
  accountId: string,
  db: Database,
): Promise<Map<string, ShownToken[]>> {
  const { sql, params } = among(instrumentIds)
  const select = `SELECT * FROM processor_tokens WHERE account_id = ? AND payment_instrument_id ${sql}`
  const rows = readTokens(await db.read(select, [accountId, ...params]))
  const sorted = rows.toSorted(
    (one, other) => one.created_at - other.created_at || (one.processor_id < other.processor_id ? -1 : 1),
  )
  const tokensOf = new Map<string, ShownToken[]>()
  for (const row of sorted) {
    const shown = {
      processorId: row.processor_id,
      processorType: row.processor_type,
      token: row.token,
      status: row.status,
      createdAt: new Date(row.created_at).toISOString(),
    }
    tokensOf.set(row.payment_instrument_id, [...(tokensOf.get(row.payment_instrument_id) ?? []), shown])
  }
  return tokensOf
}

const readTokens = rowReader(processorTokensTable)

/** A processor's token for the card of an instrument. */
export interface ProcessorToken extends Pick<PaymentInstrument['processorTokens'][number], 'token' | 'status'> {
  accountId: string
  paymentInstrumentId: string
  processorId: string
}

/**
 * The statement that keeps what a processor calls an instrument's card now, in place of what it did before. Of an
 * instrument that was deleted while its payment was under way, nothing is kept; one that is deleted at this moment is
 * deleted after the token is here, and takes it along.
 */
export function keepProcessorToken(held: ProcessorToken, nowMs: number): Write {
  const { accountId, paymentInstrumentId, processorId, token, status } = held
  const ofInstrument = [accountId, paymentInstrumentId]
  const ofProcessor = [accountId, processorId]
  return {
    sql: `INSERT INTO processor_tokens (account_id, payment_instrument_id, processor_id, processor_type, token, status,
        created_at)
      SELECT ?, ?, id, driver, ?, ?, CAST(? AS BIGINT) FROM processors WHERE account_id = ? AND id = ?
        AND EXISTS (SELECT 1 FROM payment_instruments AS i WHERE i.account_id = ? AND i.id = ? {kept})
      ON CONFLICT (account_id, payment_instrument_id, processor_id)
      DO UPDATE SET token = excluded.token, status = excluded.status, created_at = excluded.created_at`,
    params: [...ofInstrument, masked(token), status, nowMs, ...ofProcessor, ...ofInstrument],
  }
}

/** `pm_1Qx...9f3a` as `pm_****9f3a`: enough to find it at the processor, too little to use it. */
function masked(token: string): string {
  const [prefix = ''] = /^[a-z]{1,8}_/.exec(token) ?? []
  return `${prefix}****${token.slice(prefix.length).slice(-4)}`
}
