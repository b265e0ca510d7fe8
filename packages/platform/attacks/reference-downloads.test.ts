/*
 * The attacker has one address and no key, and asks for the OpenAPI document over and over, which is 2.4 MB.
 */
import { docsLimit } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../test/test-platform.ts'

const platform = sharedPlatform({ rateLimits: true })

/** Asks, and hangs up when the answer begins. */
async function statusOf(path: string): Promise<number> {
  const answer = await fetch(platform().apiUrl + path)
  await answer.body?.cancel()
  return answer.status
}

test('the document and the pages are sent until the address has no tokens left', async () => {
  let statuses: number[] = []
  for (let asked = 0; asked <= docsLimit.burst; asked += 20) {
    const paths = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? '/openapi.json' : '/docs/products'))
    statuses = await Promise.all(paths.map(statusOf))
  }
  expect(statuses).toContain(429)
  expect((await fetch(`${platform().apiUrl}/docs`)).headers.get('retry-after')).toMatch(/^\d+$/)
})
