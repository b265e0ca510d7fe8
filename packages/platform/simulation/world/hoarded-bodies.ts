import { ASSET_MAX_BYTES, BODY_MAX_BYTES } from '@tillwright/contract'
import { BODY_LIMITS, type SentRequest, type Site } from './platforms.ts'

/**
 * Requests of a client with a bad connection, or of an attacker: bodies whose length is announced but which never
 * arrive, so that they hold the process's budget in memory and on disk until their connections break.
 */
export function hoardedBodies({ world, neighbourKey }: Site, forMs: number): SentRequest[] {
  const dice = world.dice.fork(`bodies ${world.scheduler.nowMs}`)
  // Sometimes leaves room for small ones.
  const announced = (most: number) => most - dice.pick([0, 0, 1_500, 6_000])
  const headers = { authorization: `Bearer ${neighbourKey}`, 'x-forwarded-for': '198.51.100.9' }
  const cut = { arrived: 0, breaksAfterMs: forMs }
  const sha256 = Buffer.from(dice.bytes(32)).toString('hex')
  return [
    {
      method: 'POST',
      path: '/api/public/v1/products/create',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '',
      announcedBytes: announced(BODY_MAX_BYTES),
      cut,
    },
    {
      method: 'PUT',
      path: `/api/plugins/v1/assets/${sha256}`,
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: '',
      announcedBytes: announced(Math.min(ASSET_MAX_BYTES, BODY_LIMITS.diskBytes)),
      cut,
    },
  ]
}
