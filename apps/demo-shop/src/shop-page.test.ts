import { expect, test } from 'vitest'
import { shopPage } from './shop-page.ts'
import { languageOf } from './texts/index.ts'

const settings = {
  apiUrl: 'https://api.example',
  vaultUrl: 'https://vault.example',
  publishableKey: 'test_pk_shop',
  storeId: 'store_1',
}

async function pageIn(amounts: Record<string, number>, { onlyCards }: { onlyCards: boolean }): Promise<string> {
  const variants = [{ id: 'variant_1', name: 'Natural', default: true, amounts }]
  const offer = { name: 'Tote', description: '', currencies: Object.keys(amounts), variants }
  const methods = onlyCards ? (['card'] as const) : (['card', 'ideal'] as const)
  return String(await shopPage(offer, { ...settings, methods, onlyCards }, languageOf('en')))
}

test('where everything has one price there is no currency to choose', async () => {
  expect(await pageIn({ USD: 2_400 }, { onlyCards: true })).not.toContain('Currency')
  expect(await pageIn({ USD: 2_400, EUR: 2_200 }, { onlyCards: true })).toContain('Currency')
})

test('the page of a shop that takes cards alone speaks of cards, and names neither API nor store', async () => {
  const cards = await pageIn({ EUR: 2_400 }, { onlyCards: true })
  expect(cards).toContain('<h2>Pay by card</h2>')
  expect(cards).not.toMatch(/api\.example|store_1|methods\.js/)
  const all = await pageIn({ EUR: 2_400 }, { onlyCards: false })
  expect(all).toContain('<h2>Payment</h2>')
  expect(all).toContain('"beyondCards":{"storeId":"store_1","apiUrl":"https://api.example"}')
})
