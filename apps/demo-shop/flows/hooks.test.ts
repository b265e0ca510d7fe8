import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createClient } from '@tillwright/client'
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../.ci/free-port.ts'
import { type RunningShop, startShop } from './running-shop.ts'

let running: RunningShop
beforeAll(async () => {
  running = await startShop()
  return () => running.stop()
})

/** A second server of the shop, which has been told the secrets of its hooks. */
async function startAnswering(port: number, secrets: readonly string[]) {
  const { local } = running
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/server.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TILLWRIGHT_API_URL: local.apiUrl,
      TILLWRIGHT_VAULT_URL: local.vaultUrl,
      TILLWRIGHT_API_KEY: local.apiKey,
      TILLWRIGHT_PUBLISHABLE_KEY: local.publishableKey,
      TILLWRIGHT_STORE_ID: local.storeId,
      TILLWRIGHT_PRODUCT_ID: local.productId,
      TILLWRIGHT_WEBHOOK_SECRET: local.webhookSecret,
      HOOK_SECRETS: secrets.join(','),
      PORT: String(port),
    },
  })
  await once(child.stdout, 'data')
  return async () => {
    child.kill()
    await once(child, 'exit')
  }
}

test('the shop answers the hooks of its store, and nobody who has no secret of theirs', async () => {
  const { apiUrl, adminApiKey, storeId, productId } = running.local
  const tillwright = createClient({ baseUrl: apiUrl, apiKey: adminApiKey })
  const port = await freePort()
  const url = `http://localhost:${port}/hooks`
  const secrets: string[] = []
  for (const kind of ['tax', 'stock', 'risk'] as const) {
    const { secret } = await tillwright.hooks.set({ storeId, kind, url, onFailure: 'refuse' })
    secrets.push(secret ?? '')
  }
  const stop = await startAnswering(port, secrets)
  try {
    const { variants } = await tillwright.products.get({ productId })
    const variantId = variants[0]?.id ?? ''
    const { paymentInstrument } = await tillwright.paymentInstruments.createFromToken({
      serviceToken: 'tok_visa',
      storeId,
      customerData: { email: 'ada@example.com' },
    })
    const payment = await tillwright.payments.create({
      storeId,
      paymentInstrumentId: paymentInstrument.id,
      currency: 'USD',
      lines: [{ variantId, quantity: 2 }],
    })
    expect([payment.status, payment.amount]).toEqual(['succeeded', 4_800 + 384])
    const { taxAmount, hooks } = await tillwright.orders.get({ orderId: payment.orderId })
    expect(taxAmount).toBe(384)
    expect(hooks.map(({ kind, action }) => `${kind} ${action}`).toSorted()).toEqual([
      'risk applied',
      'stock applied',
      'tax applied',
    ])
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400)
    expect((await fetch(`${running.local.shopUrl}/hooks`, { method: 'POST', body: '{}' })).status).toBe(404)
  } finally {
    await stop()
  }
})
