import { quickstartFiles } from './quickstarts.ts'
import type { Reader } from './run-apart.ts'

/** Commands that make a plugin and go to its folder. */
function author(template: string): string {
  return `npm create @tillwright/plugin my-shop -- --template ${template} > made\ncd my-shop`
}

/** A value of the reader's `local.json`, in the shell. */
const local = (name: string) => `$(node -p "JSON.parse(fs.readFileSync('.tillwright/local.json')).${name}")`

/** A certificate of an authority of ours for a request, in the form in which Apple sends it. */
const signed = (request: string, certificate: string, marked = '') =>
  `openssl x509 -req -in ${request} -CA ca.pem -CAkey ca.key -days 30 -outform der -out ${certificate} ${marked}`

/** Apple marks a merchant's certificate for payments with the hash of its identifier. Source: Apple, "Payment token format reference". */
const apple = `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=Apple -keyout ca.key -out ca.pem
echo "1.2.840.113635.100.6.32=ASN1:UTF8String:$(printf merchant.com.example.shop | sha256sum | cut -c1-64 | tr a-f A-F)" > marks
${signed('processing.csr', 'apple_pay.cer', '-extfile marks')}
${signed('identity.csr', 'merchant_id.cer')}
echo 7B227073704964 > apple-developer-merchantid-domain-association`

const renewed = `openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=New -keyout new.key -out new.csr
${signed('new.csr', 'new.cer', '-extfile marks')}
openssl x509 -inform der -in new.cer | cat - new.key > new-processing.pem
cp identity.pem new-identity.pem
FORMER=$(openssl x509 -in processing.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)`

/** Certificates of directory servers. */
const directories = `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=shop -keyout server.key -out server.pem
cp server.pem directories.pem`

/** Commands that copy a plugin of this repository and go to its folder. */
function copyOf(plugin: string): string {
  return `cp -r ${plugin} own\ncd own\nrm -rf node_modules dist .tillwright`
}

/** A function of the shell that makes a payment and prints its id. */
const paid = `post() { curl --fail-with-body -s "${local('apiUrl')}/api/$1" -H "Authorization: Bearer ${local('apiKey')}" -H 'Content-Type: application/json' -d @-; }
paid() {
  echo "{ \\"serviceToken\\": \\"tok_visa\\", \\"storeId\\": \\"${local('storeId')}\\" }" | post public/v1/payment-instruments/create-from-token > instrument.json
  echo "{ \\"storeId\\": \\"${local('storeId')}\\", \\"paymentInstrumentId\\": \\"$(node -p "JSON.parse(fs.readFileSync('instrument.json')).paymentInstrument.id")\\", \\"currency\\": \\"USD\\", \\"amount\\": 4098 }" | post payments/v1/payments | node -p 'JSON.parse(fs.readFileSync(0)).id'
}`

const shop = `require('node:http').createServer((_, response) => response.end('A shop')).listen(process.env.PORT)\n`

/**
 * Pages whose commands start something at addresses that the text names, or change what other pages count on. Each is read on
 * a machine of its own.
 */
export const pagesApart: Readonly<Record<string, Reader>> = {
  README: {
    files: { 'my-shop.js': shop },
    places: { './tillwright ': 'tillwright ' },
    after: 'curl -s http://localhost:3000 | grep "A shop"',
  },
  '3-d-secure/production': { before: `tillwright start\n${directories}`, places: { '/etc/tillwright/': '' } },
  '3-d-secure/testing': { before: 'tillwright start' },
  'checkout/wallets': {
    before: 'tillwright start',
    meanwhile: {
      'openssl x509 -inform der': apple,
      'tillwright wallets rotate apple_pay --key': renewed,
      'openssl ec -in new-google.pem': 'openssl ecparam -name prime256v1 -genkey -noout -out new-google.pem',
    },
    places: { 'spzGX6upCJhx5UD8vCo1+LcIi7+fkxEUaVmhbX18cJM=': '"$FORMER"' },
    after: `tillwright wallets list --json | grep -F "$(openssl ec -in new-google.pem -pubout -conv_form uncompressed -outform DER | tail -c 65 | openssl base64 -A)"`,
  },
  'operate/README': { before: 'mkdir -p secrets/channel\nchown() { [ "$*" = "65532 tls.key" ]; }' },
  // A platform on one's own machine is not ready for production, and the doctor says so.
  'operating/going-live': { before: 'tillwright start\ntillwright() { ! command tillwright "$@" || false; }' },
  'plugins/dev': { before: author('blank') },
  'plugins/gates': { before: author('blank') },
  'plugins/index': {},
  'plugins/manifest': { before: author('blank') },
  'plugins/publishing': {
    before: `${author('checkout')}\ntillwright start\ntillwright publish --no-visit\nsed -i 's/"version": "[0-9.]*"/"version": "9.0.0"/' plugin.manifest.json`,
  },
  'start/index': { places: { './tillwright ': 'tillwright ' } },
  'start/plain-page': {
    files: quickstartFiles('plain page'),
    after: `curl -s http://localhost:3000 | grep -F 'Pay $40.98'`,
  },
  'subscriptions/index': { before: 'tillwright start' },
  'apps/offer-funnel/README': { before: copyOf('apps/offer-funnel') },
  'apps/one-page-checkout/README': { before: copyOf('apps/one-page-checkout') },
  'packages/cli/README': {
    before: `mkdir -p ~/.config/fish/completions\n${paid}`,
    places: { 'pay_...': '"$(paid)"' },
  },
  'packages/create-plugin/README': {
    meanwhile: { 'npm create @tillwright/plugin my-shop -- --template checkout': 'mkdir other\ncd other' },
  },
  'packages/tillwright/README': { places: { 'npx tillwright': 'node packages/tillwright/dist/tillwright.mjs' } },
  ...Object.fromEntries(
    ['blank', 'checkout', 'funnel'].flatMap((template) => [
      [`templates/${template}/README`, { before: author(template) }],
      [`templates/${template}/AGENTS`, { before: author(template) }],
    ]),
  ),
}
