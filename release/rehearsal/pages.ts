/** What a page needs to know of its platform. */
export interface PageSettings {
  publishableKey: string
  vaultUrl: string
}

/** A shop's page in one framework: the files of its project. */
export type PageFiles = (settings: PageSettings) => Readonly<Record<string, string>>

const page = (script: string, head = '') => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Shop</title><link rel="icon" href="data:," />${head}</head>
  <body><div id="app"></div>${script}</body>
</html>
`

const send = `/** Sends the card's token to the shop's server; answers the payment's status. */
export async function send({ serviceToken }) {
  const body = JSON.stringify({ serviceToken })
  const answer = await fetch('/pay', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  return (await answer.json()).status
}
`

const manifest = (dependencies: Readonly<Record<string, string>>, build = 'vite build') =>
  JSON.stringify({ private: true, type: 'module', scripts: { build }, dependencies }, null, 2)

const checkout = { '@tillwright/checkout': 'latest' }
const vite = { ...checkout, vite: '^8.3.8' }

const reactShop = (settings: PageSettings) => `import { useRef, useState } from 'react'
import { Card, CheckoutProvider } from '@tillwright/checkout/react'
import { send } from './send.js'

export function Shop() {
  const card = useRef(null)
  const [said, say] = useState('')
  const pay = async () => say(await send(await card.current.tokenize()))
  return (
    <CheckoutProvider options={${JSON.stringify(settings)}}>
      <Card ref={card} />
      <button type="button" onClick={pay}>Pay</button>
      <output>{said}</output>
    </CheckoutProvider>
  )
}
`

/** The frameworks, and a page of each that takes a card and pays with it. */
export const frameworks = {
  'Vite + React': (settings) => ({
    'package.json': manifest({ ...vite, '@vitejs/plugin-react': '^6.3.0', react: '^19.3.1', 'react-dom': '^19.3.1' }),
    'vite.config.js': `import react from '@vitejs/plugin-react'\nexport default { plugins: [react()] }\n`,
    'index.html': page('<script type="module" src="/main.jsx"></script>'),
    'send.js': send,
    'shop.jsx': reactShop(settings),
    'main.jsx': `import { createRoot } from 'react-dom/client'
import { Shop } from './shop.jsx'
createRoot(document.getElementById('app')).render(<Shop />)
`,
  }),
  'Next.js': (settings) => ({
    'package.json': manifest(
      { ...checkout, '@tillwright/client': 'latest', next: '^16.4.6', react: '^19.3.1', 'react-dom': '^19.3.1' },
      'next build',
    ),
    'app/layout.jsx': `export default ({ children }) => <html lang="en"><body>{children}</body></html>\n`,
    'app/page.jsx': `import { Shop } from './shop.jsx'\nexport default () => <Shop />\n`,
    'app/shop.jsx': `'use client'\n${reactShop(settings)}`,
    'app/send.js': send,
    'app/pay/route.js': `import { createClient } from '@tillwright/client'

export async function POST(request) {
  const { serviceToken } = await request.json()
  const client = createClient({ apiKey: process.env.TILLWRIGHT_API_KEY, baseUrl: process.env.TILLWRIGHT_API_URL })
  const storeId = process.env.TILLWRIGHT_STORE_ID
  const { paymentInstrument } = await client.paymentInstruments.createFromToken({ serviceToken, storeId })
  const paymentInstrumentId = paymentInstrument.id
  const { status } = await client.payments.create({ storeId, paymentInstrumentId, currency: 'USD', amount: 4098 })
  return Response.json({ status })
}
`,
  }),
  Vue: (settings) => ({
    'package.json': manifest({ ...vite, '@vitejs/plugin-vue': '^6.0.11', vue: '^3.5.45' }),
    'vite.config.js': `import vue from '@vitejs/plugin-vue'\nexport default { plugins: [vue()] }\n`,
    'index.html': page('<script type="module" src="/main.js"></script>'),
    'send.js': send,
    'main.js': `import { createApp } from 'vue'\nimport Shop from './shop.vue'\ncreateApp(Shop).mount('#app')\n`,
    'shop.vue': `<script setup>
import { onMounted, ref } from 'vue'
import { init } from '@tillwright/checkout'
import { send } from './send.js'
const place = ref(null)
const said = ref('')
let card
onMounted(async () => {
  const checkout = await init(${JSON.stringify(settings)})
  card = checkout.card().mount(place.value)
})
const pay = async () => (said.value = await send(await card.tokenize()))
</script>
<template><div ref="place"></div><button type="button" @click="pay">Pay</button><output>{{ said }}</output></template>
`,
  }),
  Svelte: (settings) => ({
    'package.json': manifest({ ...vite, '@sveltejs/vite-plugin-svelte': '^7.3.1', svelte: '^5.57.3' }),
    'vite.config.js': `import { svelte } from '@sveltejs/vite-plugin-svelte'\nexport default { plugins: [svelte()] }\n`,
    'index.html': page('<script type="module" src="/main.js"></script>'),
    'send.js': send,
    'main.js': `import { mount } from 'svelte'
import Shop from './shop.svelte'
mount(Shop, { target: document.getElementById('app') })
`,
    'shop.svelte': `<script>
import { onMount } from 'svelte'
import { init } from '@tillwright/checkout'
import { send } from './send.js'
let place
let card
let said = $state('')
onMount(async () => {
  const checkout = await init(${JSON.stringify(settings)})
  card = checkout.card().mount(place)
})
const pay = async () => (said = await send(await card.tokenize()))
</script>
<div bind:this={place}></div><button type="button" onclick={pay}>Pay</button><output>{said}</output>
`,
  }),
  'plain page': (settings) => ({
    'dist/index.html': page(
      '<div id="card"></div><button type="button" id="pay">Pay</button><output id="said"></output><script type="module" src="/main.js"></script>',
      `<script src="${settings.vaultUrl}/v1/tillwright.js"></script>`,
    ),
    'dist/send.js': send,
    'dist/main.js': `import { send } from './send.js'
const checkout = await Tillwright.init({ publishableKey: ${JSON.stringify(settings.publishableKey)} })
const card = checkout.card().mount('#card')
document.getElementById('pay').addEventListener('click', async () => {
  document.getElementById('said').textContent = await send(await card.tokenize())
})
`,
  }),
} as const satisfies Record<string, PageFiles>
export type Framework = keyof typeof frameworks
