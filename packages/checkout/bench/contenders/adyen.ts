import { bundleShop } from '../bundle.ts'
import { html, json, script, SHOP_ORIGIN, style, type Answer, type Contender } from '../contender.ts'
import { fetchOnce } from '../fetch-once.ts'

const VERSION = '6.45.2'

const shop = `
import { AdyenCheckout, Card } from '@adyen/adyen-web'
import '@adyen/adyen-web/styles/adyen.css'
AdyenCheckout({
  clientKey: 'test_BENCH', environment: 'test', countryCode: 'NL', locale: 'en-US',
  amount: { value: 1000, currency: 'EUR' }, analytics: { enabled: false }, onSubmit() {},
  paymentMethodsResponse: { paymentMethods: [{ type: 'scheme', name: 'Cards', brands: ['visa', 'mc', 'amex'] }] },
}).then((checkout) => new Card(checkout).mount('#card'))`

/** The least that a frame for a field could be: Adyen's own is on its servers alone. */
const frame: Answer = { ...html('<!doctype html><title>Field</title><input id="stand-in">'), standIn: true }

/** Adyen's card component from npm with its style; a bare input stands in for each of its three frames. */
export async function adyen(): Promise<Contender> {
  const folder = await fetchOnce({ name: `adyen-${VERSION}`, packages: { '@adyen/adyen-web': VERSION } })
  const page = await bundleShop(shop, folder)
  return {
    name: 'Adyen Web',
    version: VERSION,
    markup: '<link rel="stylesheet" href="/shop.css"><div id="card"></div><script src="/shop.js"></script>',
    field: '#stand-in',
    contents:
      "The card component and its style from npm. Its three frames are on Adyen's servers alone: the bytes leave them " +
      'out, and for the time a bare input stands in for each, so both figures are less than the truth.',
    answer: ({ origin, pathname }) => {
      if (origin === SHOP_ORIGIN && pathname === '/shop.js') return script(page.script)
      if (origin === SHOP_ORIGIN && pathname === '/shop.css') return style(page.style)
      if (pathname.endsWith('/securedFields.html')) return frame
      return pathname.endsWith('.json') || pathname.includes('/v1/') ? json({}) : null
    },
    close: () => Promise.resolve(),
  }
}
