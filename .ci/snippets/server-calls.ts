import { join } from 'node:path'
import { root } from '../spawn-program.ts'
import type { PageSnippet } from './read-snippets.ts'

/** The pages whose calls of a shop's server are run. */
const PAGES =
  /^(?:start\/from-[\w-]+|payments\/(?:capture-and-refund|cards-on-file|index|methods|routing)|promotions\/index|reference\/lists)$/

/**
 * Makes one program of the calls that a shop's server makes in the documentation, in the order of the text.
 *
 * @returns The source of a module, for a folder with the `local.json` of a platform.
 */
export function serverProgram(snippets: readonly PageSnippet[]): string {
  const calls = snippets.filter(
    ({ page, language, code }) => PAGES.test(page) && language === 'ts' && /\btillwright\.\w/.test(code),
  )
  const blocks = calls.map(({ code, place }, index) => {
    return `at = '${place}'\n{\nconst [orderNumber, idempotencyKey] = ['order-${index}', 'key-${index}']\n${code}}\n`
  })
  return `${surroundings}${blocks.join('')}at = null\nconsole.log('${calls.length} snippets have run.')\n`
}

/** Variables that the snippets expect from the shop. */
const surroundings = `import { readFileSync } from 'node:fs'
import { createClient, TillwrightError } from '${join(root, 'packages/client/src/index.ts')}'
let at: string | null = 'the surroundings'
process.on('exit', () => at !== null && console.log(at))
const { adminApiKey: apiKey, apiUrl: baseUrl, storeId } = JSON.parse(readFileSync('.tillwright/local.json', 'utf8'))
const tillwright = createClient({ apiKey, baseUrl })
const serviceToken = 'tok_visa'
const { paymentInstrument } = await tillwright.paymentInstruments.createFromToken({ serviceToken, storeId })
const paymentInstrumentId = paymentInstrument.id
const { id: customerId } = await tillwright.customers.create({ storeId, email: 'ada@shop.example' })
const authorized = { storeId, paymentInstrumentId, currency: 'USD', amount: 2_000, captureMethod: 'manual' } as const
const { id: paymentId } = await tillwright.payments.create(authorized)
const { id: otherPaymentId } = await tillwright.payments.create(authorized)
const prices = [{ currencyOptions: { EUR: { amount: 4_000 }, USD: { amount: 4_000 } } }]
const variantId = 'tote-natural'
await tillwright.products.create({ storeId, name: 'Tote', variants: [{ id: variantId, name: 'Natural', prices }] })
const processor = (name: string) => tillwright.processors.create({ name, driver: 'simulator', settings: {} })
const [{ id: first }, { id: second }, { id: third }] = [await processor('One'), await processor('Two'), await processor('Three')]
const cart = { id: 'cart-7', total: 4_098 }
const ship = async () => console.log('shipped')
const redirect = (url: string) => console.log('led to', new URL(url).pathname.split('/')[1])
`
