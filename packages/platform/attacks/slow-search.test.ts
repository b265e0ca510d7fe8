import { expect, test } from 'vitest'
import { startWatched, STALL_MS } from '../faults/watched-platform.ts'

// Somebody without any key. The page of errors is searched at each visit: they send as many words as an address holds.

test('the page of errors is searched for thousands of words at once, and no request waits', async () => {
  const { local, watch, stop } = await startWatched()
  const search = `${local.apiUrl}/docs/errors?q=${'e+'.repeat(7_000)}`
  const { result } = await watch(async () => (await fetch(search)).status)
  expect(result).toBe(200)
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})
