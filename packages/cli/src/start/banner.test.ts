import { stripVTControlCharacters } from 'node:util'
import type { LocalFile } from '@tillwright/platform'
import { expect, test } from 'vitest'
import { banner } from './start-command.ts'

const local: LocalFile = {
  apiUrl: 'http://localhost:4400',
  vaultUrl: 'http://localhost:4401',
  shopUrl: null,
  apiKey: 'test_sk_1',
  adminApiKey: 'test_sk_admin',
  publishableKey: 'test_pk_1',
  accountId: 'acc_1',
  storeId: 'store_1',
  productId: 'product_1',
  paymentFlowId: 'flow_1',
  funnelId: 'funnel_1',
  stepId: 'step_1',
  webhookSecret: 'whsec_1',
  pid: 1,
}
const shown = (change: Partial<LocalFile>, moves: string[] = []) =>
  stripVTControlCharacters(banner({ ...local, ...change }, { moves, logFile: '.tillwright/platform.log' }))

test('the banner has what a developer needs, but not the admin key and the webhook secret', () => {
  const text = shown({ shopUrl: 'http://localhost:4410' })
  for (const part of [
    'http://localhost:4410',
    'http://localhost:4400/docs',
    'http://localhost:4401',
    'test_sk_1',
    '.tillwright/platform.log',
  ]) {
    expect(text).toContain(part)
  }
  for (const secret of ['test_sk_admin', 'whsec_1']) expect(text).not.toContain(secret)
})

test('without a shop there is no line for one', () => {
  expect(shown({})).not.toContain('Demo shop')
})

test('a taken port is reported first', () => {
  expect(shown({}, ['Port 4400 is taken.'])).toMatch(/^note Port 4400 is taken\.\n/)
})
