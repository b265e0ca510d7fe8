import type { BuyerSession } from '@tillwright/contract'
import { sessionToken } from '../live-data.ts'

/** What the toolbar asks is none of the page's requests, which are watched. */
const send = window.fetch.bind(window)

/** Asks the session API as the page itself would; every answer is the session as it is then. */
export async function askSession(method: string, path: string, body?: object): Promise<BuyerSession> {
  const response = await send(`/__tillwright/api/api/session/v1/session${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${sessionToken()}`,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Idempotency-Key': newKey() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  throw new Error(String(answer?.error?.message ?? `The platform answered ${response.status}.`))
}

/** Not randomUUID(), which a page on the network without HTTPS lacks. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
