import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { startReceiver } from '../../../packages/platform/test/events/start-receiver.ts'
import { sharedPlatform, ruleEngines } from '../../../packages/platform/test/test-platform.ts'
import { withoutWebhooks } from '../../../packages/platform/test/walk/table-digests.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('an open page follows: webhooks wait while a receiver hangs, an old backup needs attention, and all is well again', async () => {
    const { services, call, clock } = platform()
    await withoutWebhooks(services.db)
    await services.db.write([{ sql: 'DELETE FROM webhook_deliveries', params: [] }])
    const answered = Promise.withResolvers<void>()
    const receiver = await startReceiver(() => answered.promise.then(() => ({ status: 204 })))
    const body = { url: `${receiver.url}/hooks`, eventTypes: ['s_dispute_won' as const], drafts: true }
    await call(contract.webhookEndpoints.create, { body })

    const { page, complaints } = await signedIn(platform(), 'operations')
    const webhooks = page.getByRole('row', { name: /^Webhooks / }).getByRole('cell')
    await page.getByRole('link', { name: 'Operations' }).click()
    await page.getByText('All is well').waitFor()
    // The page reads again by its own clock, which goes on while the test waits.
    await page.clock.install()
    await page.reload()
    const shown = (text: string) =>
      expect
        .poll(async () => {
          await page.clock.runFor(2_000)
          return page.getByText(text).first().isVisible()
        })
        .toBe(true)
    const waiting = (count: string) =>
      expect
        .poll(async () => {
          await page.clock.runFor(2_000)
          return webhooks.first().textContent({ timeout: 5_000 })
        })
        .toBe(count)
    await shown('All is well')
    await waiting('0')
    await call(contract.eventLog.trigger, { body: { eventType: 's_dispute_won' } })
    await waiting('1')
    answered.resolve()
    await waiting('0')

    const backup = { sql: 'INSERT INTO last_backup (id, taken_at, version, missing_blobs) VALUES (1, ?, ?, 0)' }
    const before = clock.now() - 27 * 3_600_000
    await services.db.write([{ ...backup, params: [before, '1.0.0'] }])
    await shown('The last backup is old')
    await page.getByRole('button', { name: 'tillwright backup --to PLACE' }).first().waitFor()
    await services.db.write([{ sql: 'DELETE FROM last_backup', params: [] }])
    await shown('All is well')
    expect(complaints).toEqual([])
  })

  test('a developer sees neither the page nor a way to it', async () => {
    const { page } = await signedIn(platform(), 'developer')
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
    await page.goto(`${new URL(page.url()).origin}/console/operations`)
    await page.getByRole('heading', { name: 'Your role may not see this page' }).first().waitFor()
  })
})
