import type { RequestContext, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { rowReader, text } from '../storage/index.ts'

/** The refusal of anything new for a customer who was erased. */
export function erasedCustomer(id: string): ApiError {
  return new ApiError('state_conflict', `The customer '${id}' was erased; leave customerId out, for a new one.`, {
    param: 'customerId',
  })
}

/** Refuses the writes that follow it once the erasure of a customer has begun. */
export function notErased(customerId: string, accountId: string, onRefused: () => ApiError): Write {
  const sql = 'UPDATE customers SET archived = archived WHERE account_id = ? AND id = ? AND erased_at IS NULL'
  return { sql, params: [accountId, customerId], expect: 1, onRefused }
}

/**
 * Refuses the writes that follow it in the same way, and writes nothing itself, so that it costs a look-up. What is
 * committed at the very moment when an erasure begins is found by it later.
 */
export function unlessErased(customerId: string, accountId: string): Write {
  const sql = 'UPDATE customers SET erased_at = erased_at WHERE account_id = ? AND id = ? AND erased_at IS NOT NULL'
  return { sql, params: [accountId, customerId], expect: 0 }
}

/**
 * Refuses text of the merchant's own about a customer who was erased: it could say again who they were.
 *
 * @param refused `param`: the field with the text. `instead`: what to do without it.
 * @returns The guard for an erasure that begins meanwhile.
 * @throws {ApiError} `state_conflict` that names the erasure.
 */
export async function refuseErased(
  customerId: string,
  { param, instead }: { param: string; instead: string },
  { caller: { accountId }, services: { db } }: Pick<RequestContext, 'caller' | 'services'>,
): Promise<Write> {
  const refusal = (erasure: string) =>
    new ApiError(
      'state_conflict',
      `The customer '${customerId}' was erased${erasure}, and '${param}' could say again who they were; ${instead}.`,
      { param },
    )
  const [erased] = readErasureIds(await db.read(selectErasure, [accountId, customerId]))
  if (erased !== undefined) throw refusal(` by '${erased.id}'`)
  return notErased(customerId, accountId, () => refusal(''))
}

const selectErasure = 'SELECT id FROM customer_erasures WHERE account_id = ? AND customer_id = ?'
const readErasureIds = rowReader({ id: text })
