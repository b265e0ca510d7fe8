import { contract } from '@tillwright/contract'
import type { LocalFile } from '../src/local/start-local.ts'
import { browserData } from '../test/browser-data.ts'
import { ask } from './ask.ts'
import { threedsActionOf } from '../test/threeds-payment.ts'

const ROUNDS = 200

/** Latency of payments in sequence at p50, without and with a frictionless authentication. */
export interface ThreedsTimes {
  plainMs: number
  threedsMs: number
}

/** Times payments in a flow without 3-D Secure and in one with it, in turn, so that both meet the same machine. */
export async function timeThreeds(local: LocalFile, paymentInstrumentId: string): Promise<ThreedsTimes> {
  const api = { origin: local.apiUrl, key: local.apiKey }
  const frame = { origin: local.vaultUrl, key: local.publishableKey }
  const paid = { storeId: local.storeId, paymentInstrumentId, currency: 'USD', amount: 500 }
  const flows = await ask(contract.paymentFlows.list, { query: {} }, { ...api, key: local.adminApiKey })
  const { processorConfigs = [] } = flows.find(({ id }) => id === local.paymentFlowId) ?? {}
  const data = { name: '3-D Secure', strategy: 'simple', threeDsEnabled: true, processorConfigs } as const
  const { id: paymentFlowId } = await ask(contract.paymentFlows.create, { body: { data } }, api)
  const plain: number[] = []
  const threeds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await timed(() => ask(contract.payments.create, { body: paid }, api)))
    threeds.push(
      await timed(async () => {
        const waiting = await ask(contract.payments.create, { body: { ...paid, paymentFlowId } }, api)
        const actionToken = threedsActionOf(waiting).actionToken
        const body = { actionToken, browser: browserData, methodCompletion: 'U' } as const
        await ask(contract.threedsFrame.authenticate, { body }, frame)
        await ask(contract.payments.continue, { params: { paymentId: waiting.id } }, api)
      }),
    )
  }
  return { plainMs: median(plain), threedsMs: median(threeds) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
}
