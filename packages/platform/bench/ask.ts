import type { CallOf, Operation, ResponseOf } from '@tillwright/contract'
import { addressOf } from '../test/address-of.ts'

/** Whom a question goes to, and with which key. */
export interface Asked {
  origin: string
  key: string
}

/**
 * Calls an operation of a platform under measurement as a shop does.
 *
 * @throws {Error} When it does not succeed: a figure made of errors is none.
 */
export async function ask<Op extends Operation>(
  operation: Op,
  sent: CallOf<Op> & { params?: object; query?: object; body?: unknown },
  { origin, key }: Asked,
): Promise<ResponseOf<Op>> {
  const { method, path } = addressOf(operation, sent)
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return operation.response.parse(JSON.parse(text)) as ResponseOf<Op> // what the operation's own schema has read
}
