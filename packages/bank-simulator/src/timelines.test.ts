import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { authenticationBody, newThreedsSession } from '../../platform/test/authenticate-card.ts'
import { sharedPlatform, ruleEngines } from '../../platform/test/test-platform.ts'
import { newChallengedPayment } from '../../platform/test/threeds-payment.ts'

const CARD = '4000000000001000'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  async function open(path: string) {
    const response = await fetch(`${platform().apiUrl}/acs/timeline${path}`)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** The transaction of a session that was authenticated, and what there was to prove it. */
  async function authenticated() {
    const { id, externalSessionId } = await newThreedsSession(platform(), { number: CARD })
    const { authenticationValue } = await platform().call(contract.threeds.authenticate, {
      body: authenticationBody(id),
    })
    return { id, externalSessionId, proof: authenticationValue ?? 'none' }
  }

  test('a timeline shows every message with its time and its parties, under a policy that runs nothing', async () => {
    const { id, externalSessionId } = await authenticated()
    const { status, headers, text } = await open(`/${externalSessionId}`)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
    const shown = [...text.matchAll(/<strong>(\w+)<\/strong><span>([^<]+)<\/span>/g)].map(([, ...each]) => each)
    expect(shown).toEqual([
      ['AReq', '3DS server → directory server'],
      ['ARes', 'directory server → 3DS server'],
    ])
    expect(text).toContain(id)
    expect(text).toMatch(/class="badge authenticated">authenticated<\/strong> \(successful\)/)
    expect(text).toContain('$19.99')
    expect(text).toContain(`•••• ${CARD.slice(-4)}`)
    expect(text).toContain('transStatus Y')
    expect(text).toContain('&quot;messageType&quot;: &quot;ARes&quot;')
  })

  test('neither the page nor the file holds the card number or the proof, even in a message that is no JSON', async () => {
    await platform().request('POST', '/acs/control', { body: { next: { faults: { ares: 'duplicate' } } } })
    const session = await newThreedsSession(platform(), { number: CARD })
    const path = contract.threeds.authenticate.path
    await platform().request('POST', path, { body: authenticationBody(session.id) })
    const again = await platform().call(contract.threeds.authenticate, { body: authenticationBody(session.id) })
    const page = await open(`/${session.externalSessionId}`)
    const file = await open(`/${session.externalSessionId}/transcript.json`)
    expect(again.authenticationValue).toMatch(/.{28}/)
    for (const { text } of [page, file]) {
      expect(text).not.toContain(CARD)
      expect(text).not.toContain(again.authenticationValue)
    }
    expect(page.text.match(/\(left out\)/g)).toHaveLength(2)
    expect(JSON.parse(file.text).map(({ type }: { type: string }) => type)).toEqual(['AReq', 'ARes', 'AReq', 'ARes'])
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="3ds-${session.externalSessionId}.json"`)
  })

  test('what a message says cannot become part of the page', async () => {
    const session = await newThreedsSession(platform())
    const body = authenticationBody(session.id)
    const hostile = { ...body, processorConfig: { ...body.processorConfig, merchantName: '</pre><script>1</script>' } }
    await platform().call(contract.threeds.authenticate, { body: hostile })
    const { text } = await open(`/${session.externalSessionId}`)
    expect(text).not.toContain('<script')
    expect(text).toContain('&lt;/pre&gt;&lt;script&gt;')
  })

  test('the list leads from the newest session to each timeline, and says how it has ended', async () => {
    platform().clock.advance(1_000)
    const { externalSessionId } = await authenticated()
    platform().clock.advance(1_000)
    const { payment } = await newChallengedPayment(platform())
    const { text } = await open('')
    const lines = [...text.matchAll(/href="\/acs\/timeline\/([^"]+)".*?<strong [^>]*>(\w+)<\/strong>/gs)]
    expect(lines[0]?.[2]).toBe('pending')
    expect(lines[1]?.slice(1)).toEqual([externalSessionId, 'authenticated'])
    expect(text).toContain(payment.id)
  })

  test('the list shows status, amount and the end of the card, and finds a session by each of them', async () => {
    platform().clock.advance(1_000)
    await authenticated()
    platform().clock.advance(1_000)
    const { payment } = await newChallengedPayment(platform())
    const linesOf = async (query: string) => {
      const { text } = await open(`?q=${encodeURIComponent(query)}`)
      return [...text.matchAll(/<li class="(\w+)">(.*?)<\/li>/gs)].map(([, status, line]) => ({ status, line }))
    }
    const [byPayment, ...others] = await linesOf(payment.id)
    expect(others).toEqual([])
    expect(byPayment).toMatchObject({ status: 'pending', line: expect.stringContaining('<span class="amount">$') })
    expect(byPayment?.line).toMatch(/Visa •••• \d{4}</)
    for (const query of ['authenticated', '19.99', CARD.slice(-4), `AUTHENTICATED visa ${CARD.slice(-4)}`]) {
      const lines = await linesOf(query)
      expect(
        lines.map(({ status }) => status),
        query,
      ).toContain('authenticated')
    }
    expect((await linesOf('authenticated')).map(({ status }) => status)).not.toContain('pending')
    expect(await linesOf(CARD)).toEqual([])
    const hostile = await open(`?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(hostile.text).toContain('&lt;script&gt;')
    expect(hostile.text).not.toContain('<script')
  })

  test.each(['/x', '/00000000-0000-4000-8000-000000000000', '/00000000-0000-4000-8000-000000000000/transcript.json'])(
    'there is no timeline at %s',
    async (path) => {
      expect((await open(path)).status).toBe(404)
    },
  )
})
