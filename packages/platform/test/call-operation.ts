import type { CallOf, Operation, ResponseOf } from '@tillwright/contract'
import { expect } from 'vitest'
import { addressOf } from './address-of.ts'
import type { Answer } from './send-request.ts'

/** Sends a request to the platform under test. */
export type Send = (method: string, path: string, sent: { key: string; body?: unknown }) => Promise<Answer>

/** Calls an operation that must succeed: its status, and every field of its answer and no other, are the contract's. */
export async function callOperation<Op extends Operation>(
  operation: Op,
  sent: CallOf<Op> & { params?: object; query?: object; body?: unknown },
  { key, send }: { key: string; send: Send },
): Promise<ResponseOf<Op>> {
  const { method, path } = addressOf(operation, sent)
  const answer = await send(method, path, { key, body: sent.body })
  const { status, existingStatus = status } = operation
  expect([status, existingStatus], answer.text).toContain(answer.status)
  const parsed = operation.response.parse(answer.body)
  expect(answer.body).toEqual(parsed)
  return parsed as ResponseOf<Op> // what the operation's own schema has read
}
