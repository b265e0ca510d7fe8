import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { authenticationBody, newThreedsSession } from '../../test/authenticate-card.ts'
import { sharedPlatform } from '../../test/test-platform.ts'
import { CHALLENGE_CARD } from '../../test/threeds-payment.ts'

const platform = sharedPlatform()

/** A shop without our scripts: `/pay` posts a challenge to the bank, `/return` is where the buyer comes back to. */
async function openShop(challenge: () => { acsChallengeUrl: string | null; creq: string | null }) {
  const server = createServer(({ url = '' }, response) => {
    const { acsChallengeUrl, creq } = challenge()
    const form = `<form method="post" action="${acsChallengeUrl}"><input type="hidden" name="creq" value="${creq}"><button>Pay</button></form>`
    response.setHeader('Content-Type', 'text/html')
    response.end(url.startsWith('/pay') ? form : '<h1>Back</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

test('a buyer goes from a shop’s own page to the bank and back, and the shop’s server reads the value', async () => {
  let challenge: { acsChallengeUrl: string | null; creq: string | null } = { acsChallengeUrl: null, creq: null }
  const shopUrl = await openShop(() => challenge)
  const { id } = await newThreedsSession(platform(), { number: CHALLENGE_CARD })
  const returnUrl = `${shopUrl}/return?cart=7&name=%22Ada%22`
  const body = { ...authenticationBody(id), returnUrl }
  challenge = await platform().call(contract.threeds.authenticate, { body })
  const page = await (await sharedChromium()).newPage()
  onTestFinished(() => page.close())
  await page.goto(`${shopUrl}/pay`)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('textbox').fill('1234')
  platform().clock.advance(1_000)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Back' }).waitFor()
  expect(page.url()).toBe(`${returnUrl}&sessionId=${id}`)
  const session = await platform().call(contract.threeds.get, { params: { sessionId: id } })
  expect(session).toMatchObject({ status: 'successful', eci: '05' })
  expect(session.authenticationValue).toMatch(/^[A-Za-z0-9+/]{27}=$/)
})
