import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { openAttacker } from '../faults/tenant-attacks.ts'
import { startWatched, STALL_MS } from '../faults/watched-platform.ts'

// A buyer with the token of a session, which anyone may begin, and a tenant with an account's secret key. They send text
// that seems to begin a token at each of its places, so that whatever keeps secrets out of the audit log would take time in
// proportion to its square.

const note = 'eyJ-'.repeat(4_900)

test('text full of beginnings of tokens is looked through once, whoever sends it, and no request waits', async () => {
  const { local, watch, stop } = await startWatched()
  const { ask, track, storeId } = await openAttacker(local)
  const steps = Array.from({ length: 10 }, (_, step) => ({
    type: 'offer',
    name: `Step ${step}`,
    path: `/step-${step}`,
    settings: { note },
  }))
  const { result } = await watch(async () => [
    await track({ name: 'seen', properties: { note } }),
    await ask(contract.funnels.create, { storeId, name: 'Slow', steps }),
  ])
  expect(result.map(({ status }) => status)).toEqual([200, 201])
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})
