import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { ruleEngines, sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('who was given a request id finds what was wrong, what the error means, and what another request changed', async () => {
    const { request, local, apiUrl } = platform()
    const body = { name: '' }
    const refused = await request('POST', contract.stores.create.path, { key: local.adminApiKey, body })
    const made = await request('POST', contract.stores.create.path, {
      key: local.adminApiKey,
      body: { name: 'Second shop' },
    })
    const { page, context } = await signedIn(platform(), 'developer')
    await page.getByRole('link', { name: 'Failed requests' }).click()
    await page.getByRole('link', { name: 'stores.create' }).waitFor()
    await page.getByRole('button', { name: 'Look up a request' }).click()
    const id = page.getByLabel('Request id')
    await id.fill('order-1042')
    await page.getByText('There is no request id in this').waitFor()
    await id.fill(refused.text)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: refused.error.code }).waitFor()
    await page.getByText(refused.error.message, { exact: true }).waitFor()
    await page.getByText('API key:').waitFor()
    const [explained] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'What this error means' }).click(),
    ])
    await explained.locator(`[id="${refused.error.code}"]`).waitFor()

    const changed = String(made.headers['x-request-id'])
    await page.goto(`${apiUrl}/console/requests/${changed}`)
    await page.getByText('This request was answered without an error.').waitFor()
    await page.getByRole('link', { name: 'Show in the audit log' }).click()
    await page.getByRole('table').getByText('stores.create').waitFor()
    expect(await page.getByRole('row').count()).toBe(2) // the head and the entry

    await page.goto(`${apiUrl}/console/requests/req_${'0'.repeat(22)}`)
    await page.getByRole('heading', { name: 'Nothing is kept of this request' }).waitFor()
  })

  test('a member whose role may not read it is not offered the log of requests', async () => {
    const { page, complaints } = await signedIn(platform(), 'support')
    expect(await page.getByRole('link', { name: 'Failed requests' }).count()).toBe(0)
    await page.goto(`${platform().apiUrl}/console/requests`)
    await page.getByRole('heading', { level: 1, name: 'Your role may not see this page' }).waitFor()
    expect(complaints).toEqual([])
  })
})
