import { contract, type Contract, type Operation } from '@tillwright/contract'
import { expect, test } from 'vitest'
import type { Client, InputOf } from './client.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles for `true` only. */
function holds<Fact extends true>(fact?: Fact): void {
  expect(fact).toBeUndefined()
}
declare const client: Client

test('a method takes path parameters, query and body in one object', () => {
  holds<Equal<InputOf<Contract['products']['get']>, { productId: string }>>()
  holds<Equal<Parameters<Client['products']['get']>[0], { productId: string }>>()
  holds<
    Equal<
      keyof InputOf<Contract['paymentInstruments']['createFromToken']>,
      'serviceToken' | 'storeId' | 'customerId' | 'customerData'
    >
  >()
})

test('an input without required fields is optional, any other is not', () => {
  holds<[] extends Parameters<Client['paymentFlows']['list']> ? true : false>()
  holds<[] extends Parameters<Client['accounts']['testKey']> ? true : false>()
  // @ts-expect-error a product has an id
  holds<[] extends Parameters<Client['products']['get']> ? true : false>()
})

test('wrong names, wrong types and missing fields do not compile', () => {
  const calls = () => [
    // @ts-expect-error it is called productId
    client.products.get({ id: 'product_1' }),
    // @ts-expect-error an id is a string
    client.products.get({ productId: 1 }),
    // @ts-expect-error the currency is missing
    client.payments.create({ storeId: 'store_1', paymentInstrumentId: 'pi_1', amount: 100 }),
    // @ts-expect-error there is no such operation
    client.products.remove({ productId: 'product_1' }),
  ]
  expect(calls).toBeTypeOf('function')
})

test('the response has the type defined by the contract', () => {
  holds<
    Equal<
      Awaited<ReturnType<Client['payments']['create']>>['status'],
      | 'created'
      | 'requires_action'
      | 'processing'
      | 'authorized'
      | 'succeeded'
      | 'declined'
      | 'failed'
      | 'canceled'
      | 'partially_refunded'
      | 'refunded'
    >
  >()
  holds<Equal<Awaited<ReturnType<Client['products']['create']>>['productId'], string>>()
})

test("the card frame's operations are not part of the client", () => {
  holds<'vault' extends keyof Client ? false : true>()
})

test('a body may repeat a path parameter, which is then sent with the path only; no other name appears twice', () => {
  holds<Equal<InputOf<Contract['funnels']['previewSession']>['funnelId'], string>>()
  for (const operation of Object.values(contract).flatMap((group) => Object.values<Operation>(group))) {
    const { params, query, body, audience, path } = operation
    if (audience !== 'key' && audience !== 'admin') continue
    expect(body === undefined || 'shape' in body, path).toBe(true)
    const [inPath = [], inQuery = [], inBody = []] = [params, query, body].map((part) =>
      part && 'shape' in part ? Object.keys(part.shape ?? {}) : [],
    )
    const missing = body?.safeParse({}).error?.issues.map((issue) => issue.path[0]) ?? []
    expect(
      inQuery.filter((name) => [...inPath, ...inBody].includes(name)),
      path,
    ).toEqual([])
    for (const name of inBody.filter((one) => inPath.includes(one))) expect(missing, path).not.toContain(name)
  }
})
