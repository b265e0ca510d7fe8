import { contract, type DomainCheck } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { type DeployedAccount, startDevelopment } from '../../../test/plugins/development-platform.ts'

const { promoteToCustomDomain } = contract.plugins
const { checkDomain } = contract.pluginManagement

const TARGET = 'domains.plugins.platform-pages.example'

async function check({ read, storeId }: DeployedAccount, hostname: string): Promise<DomainCheck> {
  const answer = await read(`${checkDomain.path}?${new URLSearchParams({ storeId, hostname })}`)
  return checkDomain.response.parse(answer.body)
}

const statuses = ({ records }: DomainCheck) => records.map(({ purpose, status }) => [purpose, status])

test('a check says which records a domain needs, and follows them until the promotion is accepted', async () => {
  const texts = new Map<string, string[]>()
  const addresses = new Map([[TARGET, ['192.0.2.1', '2001:db8::1']]])
  const own = await startDevelopment(
    async (name) => texts.get(name) ?? [],
    async (name) => addresses.get(name) ?? [],
  )
  const account = await own.account()
  const { send, deploymentId } = account
  const nothing = await check(account, 'Pay.Shop.Example')
  expect(nothing).toMatchObject({ hostname: 'pay.shop.example', owner: 'nobody', ready: false })
  expect(nothing.records).toEqual([
    {
      purpose: 'ownership',
      type: 'TXT',
      name: '_tillwright.pay.shop.example',
      value: expect.stringMatching(/^tillwright-verification=/),
      found: [],
      status: 'missing',
    },
    { purpose: 'address', type: 'CNAME', name: 'pay.shop.example', value: TARGET, found: [], status: 'missing' },
  ])
  texts.set('_tillwright.pay.shop.example', ['something else'])
  addresses.set('pay.shop.example', ['9.9.9.7'])
  const wrong = await check(account, 'pay.shop.example')
  expect(statuses(wrong)).toEqual([
    ['ownership', 'different'],
    ['address', 'different'],
  ])
  expect(wrong.records.map(({ found }) => found)).toEqual([['something else'], ['9.9.9.7']])
  texts.set('_tillwright.pay.shop.example', [nothing.records[0]?.value ?? ''])
  addresses.set('pay.shop.example', ['2001:db8::1'])
  const right = await check(account, 'pay.shop.example')
  expect([right.ready, statuses(right)]).toEqual([
    true,
    [
      ['ownership', 'found'],
      ['address', 'found'],
    ],
  ])
  expect((await send(promoteToCustomDomain.path, { deploymentId, customDomain: 'pay.shop.example' })).status).toBe(201)
  texts.clear()
  const later = await check(account, 'pay.shop.example')
  expect([later.owner, later.ready, statuses(later)[0]]).toEqual(['you', true, ['ownership', 'not_needed']])
  const other = await check(await own.account(), 'pay.shop.example')
  expect([other.owner, other.ready]).toEqual(['another', false])
})

test('name servers that fail or stay silent leave a record unknown, and nothing is accepted on it', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const { account, clock } = await startDevelopment(
    async () => Promise.reject(new Error('SERVFAIL')),
    async (name) => {
      if (name === TARGET) return []
      asked()
      return new Promise(() => {})
    },
  )
  const checking = check(await account(), 'silent.example')
  await isAsked
  clock.advance(5_000)
  const answer = await checking
  expect([answer.ready, statuses(answer)]).toEqual([
    false,
    [
      ['ownership', 'unknown'],
      ['address', 'unknown'],
    ],
  ])
})

test('addresses of the network that the platform runs in are not told, but where the platform itself has one', async () => {
  const addresses = new Map([[TARGET, ['10.0.0.9']]])
  const { account } = await startDevelopment(
    async () => [],
    async (name) => addresses.get(name) ?? [],
  )
  const own = await account()
  const addressOf = async (hostname: string) => {
    const { found, status } = (await check(own, hostname)).records[1] ?? {}
    return [found, status]
  }
  addresses.set('db.corp.example', ['10.0.0.5', '169.254.169.254', 'fd00::5'])
  expect(await addressOf('db.corp.example')).toEqual([[], 'missing'])
  addresses.set('mixed.example', ['127.0.0.1', '9.9.9.7'])
  expect(await addressOf('mixed.example')).toEqual([['9.9.9.7'], 'different'])
  addresses.set('pay.shop.example', ['10.0.0.9', '10.0.0.5'])
  expect(await addressOf('pay.shop.example')).toEqual([['10.0.0.9'], 'found'])
  addresses.delete(TARGET)
  expect(await addressOf('db.corp.example')).toEqual([[], 'missing'])
})

test('what is no domain of anybody else, and a store of another account, is refused', async () => {
  const own = await startDevelopment(async () => [])
  const [account, other] = [await own.account(), await own.account()]
  const ask = (storeId: string, hostname: string) =>
    account.read(`${checkDomain.path}?${new URLSearchParams({ storeId, hostname })}`)
  for (const hostname of ['x.platform.example', '192.0.2.1', 'nodots']) {
    const { status, error } = await ask(account.storeId, hostname)
    expect([hostname, status, error.param]).toEqual([hostname, 400, 'hostname'])
  }
  const foreign = await ask(other.storeId, 'pay.shop.example')
  expect([foreign.status, foreign.error.param]).toEqual([404, 'storeId'])
})
