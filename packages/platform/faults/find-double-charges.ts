import type { Row } from '../src/storage/database.ts'
import type { ModelShop, Ran } from './run-batch.ts'

/**
 * Finds errors in the payments of a batch that has ended: money that was taken twice or for nothing, an attempt too
 * many or at the same processor, one that followed an unknown outcome or one that forbids another, a payment without an
 * end, two payments for one request.
 *
 * @returns A sentence for each; empty is what it should be.
 */
export async function findDoubleCharges({ bank, fromId, amounts, answers }: Ran, shop: ModelShop): Promise<string[]> {
  const { db } = shop.services
  const { accountId } = shop.local
  const payments = await db.read(
    `SELECT p.id, p.amount, p.status, p.payment_flow_id, o.status AS order_status FROM payments p
      JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id WHERE p.account_id = ? AND p.id >= ?`,
    [accountId, fromId],
  )
  const attempts = await db.read(
    `SELECT a.id, a.payment_id, a.processor_id, a.status, a.outcome FROM payments p
      JOIN payment_attempts a ON a.account_id = p.account_id AND a.payment_id = p.id
      WHERE p.account_id = ? AND p.id >= ? ORDER BY a.payment_id, a.ordinal`,
    [accountId, fromId],
  )
  const attemptsOf = Map.groupBy(attempts, (attempt) => String(attempt['payment_id']))
  const known = new Set(attempts.map((attempt) => String(attempt['id'])))
  const byAmount = Map.groupBy(payments, (payment) => Number(payment['amount']))
  return [
    ...bank.sent
      .filter(({ attemptId }) => !known.has(attemptId))
      .map(({ attemptId }) => `${attemptId} is not on record`),
    ...payments.flatMap((payment) => wrongMoney(payment, attemptsOf.get(String(payment['id'])) ?? [], bank.taken)),
    ...payments.flatMap((payment) => wrongChain(payment, attemptsOf.get(String(payment['id'])) ?? [], shop)),
    ...amounts.flatMap((amount, index) => wrongAnswer(byAmount.get(amount) ?? [], answers[index])),
  ]
}

function wrongMoney(
  { id, status, order_status: order }: Row,
  attempts: readonly Row[],
  taken: readonly string[],
): string[] {
  const times = attempts.reduce((sum, { id: attempt }) => sum + taken.filter((each) => each === attempt).length, 0)
  const captured = attempts.filter((attempt) => attempt['status'] === 'succeeded').length
  const expected = Number(status === 'succeeded')
  return [
    ...(times === expected ? [] : [`${id} is ${status} and its money was taken ${times} times`]),
    ...(captured === expected ? [] : [`${id} is ${status} and has ${captured} attempts that took the money`]),
    ...((order === 'paid') === (status === 'succeeded') ? [] : [`${id} is ${status} and its order ${order}`]),
    ...(['succeeded', 'declined', 'failed'].includes(String(status)) ? [] : [`${id} is still ${status}`]),
  ]
}

function wrongChain({ id, payment_flow_id: flowId }: Row, attempts: readonly Row[], { flows }: ModelShop): string[] {
  const processors = attempts.map((attempt) => attempt['processor_id'])
  const most = 1 + (flows.find(({ flow }) => flow.id === flowId)?.flow.maxFallbackRetries ?? 0)
  const wrong = attempts
    .slice(0, -1)
    .filter(({ outcome }) => outcome !== 'soft_decline' && outcome !== 'technical_failure')
  return [
    ...(attempts.length >= 1 && attempts.length <= most ? [] : [`${id} has ${attempts.length} attempts of ${most}`]),
    ...(new Set(processors).size === processors.length ? [] : [`${id} was tried twice at one processor`]),
    ...wrong.map(({ outcome }) => `${id} was tried again after ${outcome}`),
  ]
}

function wrongAnswer(payments: readonly Row[], answer: Ran['answers'][number] | undefined): string[] {
  const [payment, ...others] = payments
  if (payment === undefined) return ['a request made no payment']
  if (others.length > 0) return [`${payments.map(({ id }) => id).join(' and ')} were made for one request`]
  if (answer === undefined || answer.paymentId !== payment['id']) return [`${payment['id']} was not answered as itself`]
  const isPaid = payment['status'] === 'succeeded'
  // A client that was told of a payment under way may find either end.
  if (answer.status === 201 || !isPaid) return []
  return [`${payment['id']} is succeeded and was answered ${answer.status}`]
}
