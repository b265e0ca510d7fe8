import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { bundle, bundleShop } from '../bundle.ts'
import { html, json, script, SHOP_ORIGIN, type Contender } from '../contender.ts'
import { fetchOnce } from '../fetch-once.ts'

/** A version whose source is published, too: the package is the page's half alone, without the frame. */
const VERSION = '3.136.0'
const API = 'https://api.sandbox.braintreegateway.com'

/** A client token in the form that a shop's server gets, for a merchant that there is not. */
const clientToken = btoa(
  JSON.stringify({
    version: 2,
    environment: 'sandbox',
    authorizationFingerprint: 'bench',
    configUrl: `${API}/merchants/bench/client_api/v1/configuration`,
  }),
)

const shop = `
import client from 'braintree-web/client'
import hostedFields from 'braintree-web/hosted-fields'
client.create({ authorization: '${clientToken}' }).then((client) => hostedFields.create({ client, fields: {
  number: { container: '#number' }, expirationDate: { container: '#expiry' }, cvv: { container: '#cvv' },
} }))`

/** The answer that Braintree's gateway gives to a merchant who takes cards. */
const configuration = {
  environment: 'sandbox',
  merchantId: 'bench',
  clientApiUrl: `${API}/merchants/bench/client_api`,
  assetsUrl: 'https://assets.braintreegateway.com',
  challenges: ['cvv'],
  creditCards: { supportedCardTypes: ['Visa', 'MasterCard', 'American Express'] },
}

/** Braintree's client and hosted fields from npm, and the fields' frame built from the source of the same version. */
export async function braintree(): Promise<Contender> {
  const folder = await fetchOnce({
    name: `braintree-${VERSION}`,
    packages: { 'braintree-web': VERSION },
    source: {
      repository: 'https://github.com/braintree/braintree-web',
      commit: 'ebc775d50fa544fbbe31d6347d448afce53ae695', // the release of VERSION
    },
  })
  const [page, frame] = await Promise.all([bundleShop(shop, folder), buildFrame(folder)])
  const box = (id: string) => `<div id="${id}" style="height:40px;border:1px solid"></div>`
  return {
    name: 'Braintree',
    version: VERSION,
    markup: `${box('number')}${box('expiry')}${box('cvv')}<script src="/shop.js"></script>`,
    field: '#credit-card-number', // its neighbours hold copies for autofill with other ids
    contents:
      "`client` and `hosted-fields` from npm, and the document of the fields' frame, built from the published source " +
      "and counted once for three frames. The time holds one made-up answer of the gateway's API; no analytics answer.",
    answer: (url) => {
      if (url.origin === SHOP_ORIGIN && url.pathname === '/shop.js') return script(page.script)
      if (url.pathname.endsWith('/hosted-fields-frame.min.html')) return html(frame)
      return url.origin === API ? json(configuration) : null
    },
    close: () => Promise.resolve(),
  }
}

async function buildFrame(folder: string): Promise<string> {
  const internal = join(folder, 'source/src/hosted-fields/internal')
  const template = await readFile(join(internal, 'hosted-fields-frame.html'), 'utf8')
  const { script: code } = await bundle({
    entryPoints: [join(internal, 'index.js')],
    nodePaths: [join(folder, 'node_modules')],
    globalName: 'braintree.hostedFields',
    define: {
      'process.env.npm_package_version': JSON.stringify(VERSION),
      'process.env.BRAINTREE_JS_ENV': '"production"',
    },
  })
  const [, css = ''] = /<style>(.*)<\/style>/s.exec(template) ?? []
  const { code: smallCss } = await transform(css, { loader: 'css', minify: true })
  return template
    .replace('@CSP_META_TAG', '')
    .replace(css, () => smallCss)
    .replace(/<!--.*?-->/gs, '')
    .replace(/>\s+</g, '><')
    .replace('@BUILT_FILE', () => code)
}
