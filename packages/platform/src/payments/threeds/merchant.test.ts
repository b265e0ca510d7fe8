import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { newProcessor } from '../../testing/new-processor.ts'
import { sharedPlatform } from '../../testing/test-platform.ts'
import { merchantOf } from './merchant.ts'

const platform = sharedPlatform()
const merchant = { merchantId: 'm-1', mcc: '5411', merchantName: 'Canvas & Co', merchantCountryCode: '276' }

/** A flow of one processor for each merchant, in order; `null` stands for a processor without one. */
async function flowWith(merchants: readonly (object | null)[]): Promise<string> {
  const { parts, call } = platform()
  const processorConfigs: { processorId: string }[] = []
  for (const each of merchants) {
    const processorId = await newProcessor(platform())
    processorConfigs.push({ processorId })
    const config = each && JSON.stringify({ merchant: each })
    await parts.db.write([{ sql: 'UPDATE processors SET config = ? WHERE id = ?', params: [config, processorId] }])
  }
  const data = { name: 'Merchants', strategy: 'cascade', processorConfigs } as const
  return (await call(contract.paymentFlows.create, { body: { data } })).id
}

function found(paymentFlowId: string, brand: string, environment = platform().parts.environment) {
  const { parts, local } = platform()
  const subject = { accountId: local.accountId, paymentFlowId, storeName: 'A shop', brand }
  return merchantOf(subject, { db: parts.db, environment })
}

test('the merchant is that of the first processor whose acquirer takes the card', async () => {
  const first = { ...merchant, acquirerBinNetwork1: '411111' }
  const second = { ...merchant, merchantId: 'm-2', acquirerBin: '455555' }
  const flow = await flowWith([null, first, second])
  expect(await found(flow, 'visa')).toEqual(first)
  expect(await found(flow, 'mastercard')).toEqual(second)
  expect(await found(flow, 'jcb', 'production')).toEqual(second)
})

test('where nobody says, simulated processors have a merchant of the store’s name, and production has none', async () => {
  const flow = await flowWith([null, { ...merchant, acquirerBinNetwork1: '411111' }])
  expect(await found(flow, 'amex')).toMatchObject({ merchantName: 'A shop', acquirerBin: '400000' })
  await expect(found(flow, 'amex', 'production')).rejects.toMatchObject({ code: 'unavailable' })
})
