import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { placeMember } from '../../../packages/platform/test/console-browser.ts'
import { newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform, ruleEngines } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn, withAuthenticator } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('an owner invites a member, changes the role, reads both in the audit log, and ends the sessions', async () => {
    const { page, complaints } = await signedIn(platform())
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite a member' }).click()
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await page.getByLabel('Role').selectOption('support')
    await page.getByRole('button', { name: 'Make the link' }).click()
    const link = page.locator('.once .copy')
    await link.waitFor()
    const invitation = await link.evaluate((button) => button.firstChild?.textContent ?? '')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

    const browser = await sharedChromium()
    const context = await browser.newContext()
    try {
      const grace = await withAuthenticator(context)
      await grace.page.goto(invitation)
      await grace.page.getByRole('button', { name: 'Make a passkey' }).click()
      await grace.page.getByRole('link', { name: 'Continue' }).click()
      await grace.page.waitForURL(`${platform().apiUrl}/console`)
      await grace.page.getByText('Support', { exact: true }).waitFor()

      await page.getByRole('link', { name: 'grace@example.com' }).click()
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Role').selectOption('operations')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await grace.page.reload()
      await grace.page.getByRole('banner').getByText('Operations', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'End all' }).click()
      await page.getByText('Not signed in anywhere.').waitFor()
      await grace.page.reload().catch(() => {}) // unless the page has left by itself
      await grace.page.waitForURL('**/console/sign-in?*')
    } finally {
      await context.close()
    }

    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('button', { name: 'members.update' }).click()
    const row = page.getByRole('dialog').getByRole('row', { name: 'role' })
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['support', 'operations'])
    await page.getByRole('link', { name: 'Of this resource' }).click()
    await page.getByRole('button', { name: 'members.invite' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a name is saved without the rights, which another owner may have changed since the dialog was opened', async () => {
    const { memberId } = await placeMember(platform(), { role: 'operations' })
    const { page, complaints } = await signedIn(platform())
    await page.goto(`${platform().apiUrl}/console/members/${memberId}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const params = { memberId }
    await platform().call(contract.members.update, { params, body: { role: 'read_only' } })
    await page.getByRole('dialog').getByLabel('Name').fill('Grace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await platform().call(contract.members.get, { params })).toMatchObject({ name: 'Grace', role: 'read_only' })
    expect(complaints).toEqual([])
  })

  test('the audit log names who signed in, and tells what a refund was asked for from what it has changed', async () => {
    const payment = await pay(platform(), (await newInstrument(platform())).id)
    const { page, complaints } = await signedIn(platform())
    const { member } = await page.evaluate(async () => {
      const answer = await fetch('/api/members/v1/me', { headers: { 'Tillwright-Console': '1' } })
      return (await answer.json()) as { member: { email: string } }
    })
    const sent = { params: { paymentId: payment.id }, body: { amount: 500, reason: 'Came back' } }
    await platform().call(contract.payments.refund, sent)
    await page.getByRole('link', { name: 'Audit log' }).click()
    const ofSignIn = page.getByRole('row').filter({ hasText: 'me.signIn' }).filter({ hasText: member.email })
    await ofSignIn.getByRole('button').click()
    await page.getByText(`Member: ${member.email}`).waitFor()
    await page.keyboard.press('Escape')

    // Both are of the same moment here, and so in any order.
    const entries = page.getByRole('button', { name: 'payments.refund' })
    await expect.poll(() => entries.count()).toBe(2)
    const told = []
    for (const entry of await entries.all()) {
      await entry.click()
      const rows = page.getByRole('dialog').getByRole('table').getByRole('row')
      await rows.first().waitFor()
      told.push(await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent))))
      await page.keyboard.press('Escape')
      await rows.first().waitFor({ state: 'detached' })
    }
    expect(told.toSorted((a, b) => a.length - b.length)).toEqual([
      [
        ['Field', 'Before', 'After'],
        ['status', 'succeeded', 'partially_refunded'],
        ['refundedAmount', '0', '500'],
      ],
      [
        ['Field', 'Asked for'],
        ['amount', '500'],
        ['reason', 'Came back'],
        ['kind', 'refund'],
      ],
    ])
    expect(complaints).toEqual([])
  })

  test('an owner who renames the account meanwhile renamed sees both names, and sets a limit of refunds', async () => {
    const { page, complaints } = await signedIn(platform())
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Mine & Co')
    const key = await platform().addKey({ roles: ['org:admin'] })
    const { revision } = await platform().call(contract.accounts.get, {}, key)
    await platform().call(contract.accounts.update, { body: { name: 'Theirs Ltd', revision } }, key)
    await page.getByRole('button', { name: 'Save' }).click()
    const cells = page.getByRole('dialog').getByRole('row', { name: 'Name' }).getByRole('cell')
    await expect.poll(() => cells.allTextContents()).toEqual(['Mine & Co', 'Theirs Ltd'])
    await page.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await platform().call(contract.accounts.get, {}, key)).toMatchObject({ name: 'Mine & Co' })

    await page.getByRole('button', { name: 'Set a limit' }).click()
    await page.getByLabel('Currency').fill('EUR')
    await page.getByLabel('Most without a second person').fill('250')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('€250.00 in EUR').waitFor()
    expect(await platform().call(contract.refundLimits.get, {})).toEqual({
      data: [{ currency: 'EUR', amount: 25_000 }],
    })
    expect(complaints.filter((each) => !each.includes('409'))).toEqual([])
  })
})
