import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { startReceiver } from '../../../packages/platform/test/events/start-receiver.ts'
import { sharedPlatform, ruleEngines } from '../../../packages/platform/test/test-platform.ts'
import { withoutWebhooks } from '../../../packages/platform/test/walk/table-digests.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('an open page follows: webhooks wait while a receiver hangs, an old backup needs somebody, and all is well again', async () => {
    const { services, call, clock } = platform()
    await withoutWebhooks(services.db)
    await services.db.write([{ sql: 'DELETE FROM webhook_deliveries', params: [] }])
    const answered = Promise.withResolvers<void>()
    const receiver = await startReceiver(() => answered.promise.then(() => ({ status: 204 })))
    const body = { url: `${receiver.url}/hooks`, eventTypes: ['s_dispute_won' as const], drafts: true }
    await call(contract.webhookEndpoints.create, { body })

    const { page, complaints } = await signedIn(platform(), 'operations')
    await page.getByRole('link', { name: 'Operations' }).click()
    await page.getByText('All is well').waitFor()
    const webhooks = page.getByRole('row', { name: /^Webhooks / }).getByRole('cell')
    expect(await webhooks.first().textContent()).toBe('0')
    await call(contract.eventLog.trigger, { body: { eventType: 's_dispute_won' } })
    await expect.poll(() => webhooks.first().textContent()).toBe('1')
    answered.resolve()
    await expect.poll(() => webhooks.first().textContent()).toBe('0')

    const backup = { sql: 'INSERT INTO last_backup (id, taken_at, version, missing_blobs) VALUES (1, ?, ?, 0)' }
    const before = clock.now() - 27 * 3_600_000
    await services.db.write([{ ...backup, params: [before, '1.0.0'] }])
    await page.getByText('The last backup is old').waitFor()
    await page.getByRole('button', { name: 'tillwright backup --to PLACE' }).first().waitFor()
    await services.db.write([{ sql: 'DELETE FROM last_backup', params: [] }])
    await page.getByText('All is well').waitFor()
    expect(complaints).toEqual([])
  })

  test('a developer sees neither the page nor a way to it', async () => {
    const { page } = await signedIn(platform(), 'developer')
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
    await page.goto(`${new URL(page.url()).origin}/console/operations`)
    await page.getByRole('heading', { name: 'Your role may not see this page' }).first().waitFor()
  })
})
