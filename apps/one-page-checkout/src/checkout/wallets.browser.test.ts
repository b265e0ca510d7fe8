import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from '../../../../.ci/accessibility.ts'
import type { Buyer } from '../testing/buyer.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage
beforeAll(async () => void (stage = await setStage()))
afterAll(() => stage?.stop())

async function enter(): Promise<Buyer> {
  const buyer = await stage.enter()
  onTestFinished(async () => {
    expect(buyer.complaints).toEqual([])
    await buyer.page.context().close()
  })
  return buyer
}

test.each(['Apple Pay', 'Google Pay'])('%s pays for the order with what was typed of the buyer', async (wallet) => {
  const buyer = await enter()
  const { page } = buyer
  const button = page.getByRole('button', { name: wallet })
  await button.click()
  await page.locator('input[aria-invalid=true]').first().waitFor()
  expect(await page.locator('dialog').count()).toBe(0)
  await buyer.typeContact()
  await button.click()
  expect(await violationsOf(page)).toEqual([])
  await page.locator('dialog #pay').click()
  await page.getByRole('heading', { name: /^Thank you/ }).waitFor()
  await expect.poll(() => page.getByRole('main').textContent()).toContain('4242')
})

test('a card that is declined in the sheet keeps the form, and another one pays', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.typeContact()
  await page.getByRole('button', { name: 'Google Pay' }).click()
  await page.getByRole('radio', { name: '0002' }).check()
  await page.locator('dialog #pay').click()
  await page.getByRole('alert').getByText('Your bank declined the card').waitFor()
  await page.getByRole('button', { name: 'Apple Pay' }).click()
  await page.locator('dialog #pay').click()
  await page.getByRole('heading', { name: /^Thank you/ }).waitFor()
})
