/**
 * The attacker wants an authentication value that is not theirs, with another key of the account or with a stranger's;
 * or wants buyers to be sent from their bank to a page of the attacker's.
 */
import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { authenticationBody, newThreedsSession } from '../test/authenticate-card.ts'
import { sharedPlatform, ruleEngines } from '../test/test-platform.ts'
import { CHALLENGE_CARD, resultOf } from '../test/threeds-payment.ts'

const VALUE = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA='
const AUTHENTICATE = contract.threeds.authenticate.path

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const readPath = (sessionId: string) => contract.threeds.get.path.replace('{sessionId}', sessionId)

  test('another key of the account, or of another one, is not told the value, and does not use up its telling', async () => {
    const { id } = await newThreedsSession(platform(), { number: CHALLENGE_CARD })
    const body = authenticationBody(id)
    await platform().call(contract.threeds.authenticate, { body })
    await platform().receiveThreedsResult(await resultOf(platform(), id))
    const sibling = await platform().addKey({ scopes: ['threeds:read', 'threeds:write'] })
    const { apiKey: stranger } = await platform().addAccount()
    const answers = await Promise.all(
      [sibling, stranger].flatMap((key) => [
        platform().request('GET', readPath(id), { key }),
        platform().request('POST', AUTHENTICATE, { body, key }),
      ]),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 404, 404])
    for (const { text } of answers) expect(text).not.toContain(VALUE)
    const own = await platform().call(contract.threeds.get, { params: { sessionId: id } })
    expect(own.authenticationValue).toBe(VALUE)
  })

  test.for([
    'http://shop.example/return',
    'http://localhost.attacker.example/return',
    'http://localhost:80@attacker.example/return',
    'https://user:secret@shop.example/return',
    'javascript:alert(1)',
    'data:text/html,x',
    '//attacker.example',
    '/return',
  ])('a browser is not sent to %s', async (returnUrl) => {
    const { id } = await newThreedsSession(platform())
    const answer = await platform().request('POST', AUTHENTICATE, { body: { ...authenticationBody(id), returnUrl } })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'parameter_invalid', 'returnUrl'])
    const { status } = await platform().call(contract.threeds.get, { params: { sessionId: id } })
    expect(status).toBe('created')
  })

  test('who does not know the bank’s id of a challenge does not learn where its browser returns to', async () => {
    const { id } = await newThreedsSession(platform(), { number: CHALLENGE_CARD })
    const returnUrl = 'http://localhost:4410/return'
    await platform().call(contract.threeds.authenticate, { body: { ...authenticationBody(id), returnUrl } })
    const { threeDSServerTransID, acsTransID } = JSON.parse(await resultOf(platform(), id))
    const page = async (sent: object) => {
      const cres = Buffer.from(JSON.stringify(sent)).toString('base64url')
      const { text } = await platform().vaultRequest('POST', `/v1/threeds/notify/${threeDSServerTransID}`, {
        key: '',
        body: new URLSearchParams({ cres }).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })
      return text
    }
    const cres = { messageType: 'CRes', threeDSServerTransID, acsTransID, transStatus: 'Y' }
    expect(await page({ ...cres, acsTransID: threeDSServerTransID })).not.toContain('4410')
    expect(await page({})).not.toContain('4410')
    expect(await page(cres)).toContain('http://localhost:4410/return')
  })
})

describe('in production', () => {
  const platform = sharedPlatform({ environment: 'production' })
  const authenticate = (returnUrl: string) =>
    platform().request('POST', AUTHENTICATE, { body: { ...authenticationBody('threeds_none'), returnUrl } })

  test('a browser is sent to no address without HTTPS, not even on the same machine', async () => {
    const refused = await authenticate('http://localhost:4410/return')
    expect([refused.status, refused.error.param]).toEqual([400, 'returnUrl'])
    const allowed = await authenticate('https://shop.example/return')
    expect([allowed.status, allowed.error.param]).toEqual([404, 'sessionId'])
  })
})
