import { randomUUID } from 'node:crypto'
import type { Operation, ResponseOf } from '@tillwright/contract'

/** A request of whoever holds a session's token. */
export interface SessionCall {
  apiUrl: string
  token: string
  body?: object
}

/**
 * Does what a page would do in its session.
 *
 * @throws {Error} With what the platform says, when it refuses.
 */
export async function callSession<Op extends Operation>(
  { method, path }: Op,
  { apiUrl, token, body }: SessionCall,
): Promise<ResponseOf<Op>> {
  const response = await fetch(apiUrl + path, {
    method,
    redirect: 'error', // the token would be sent along
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  throw new Error(String(answer?.error?.message ?? `The platform answered ${response.status}.`))
}
