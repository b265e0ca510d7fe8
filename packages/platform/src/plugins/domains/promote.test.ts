import { type CallOf, contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployBody, deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { type DeployedAccount, startDevelopment } from '../../../test/plugins/development-platform.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { promoteToCustomDomain } = contract.plugins
type Body = CallOf<typeof promoteToCustomDomain>['body']

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  let hosts = 0
  const newHost = () => `shop-${(hosts += 1)}.${engine}.example.com`
  const promote = (body: Body) => platform().call(promoteToCustomDomain, { body })
  const request = (body: object, key?: string) =>
    platform().request('POST', promoteToCustomDomain.path, { body, ...(key && { key }) })
  async function refused(body: object): Promise<[number, string, string | undefined]> {
    const { status, error } = await request(body)
    return [status, error.code, error.param]
  }
  const eventsOf = (id: string) =>
    platform().services.db.read(
      `SELECT event_type, properties FROM events WHERE properties <> replace(properties, ?, '')`,
      [id],
    )

  test('a deployment is put on a domain, by its own id, and the message has an address that opens', async () => {
    const { id, pluginId } = await deployPlugin(platform())
    const hostname = newHost()
    const answer = await promote({ deploymentId: id, customDomain: hostname.toUpperCase() })
    expect(answer).toEqual({
      success: true,
      message: `http://${hostname}:${new URL(platform().apiUrl).port}/ serves version 1.0.0 now.`,
      route: {
        id: expect.stringMatching(/^route_[0-9A-Za-z]{22}$/),
        pluginId,
        storeId: platform().local.storeId,
        deploymentId: id,
        hostname,
        path: '/',
        follows: 'deployment',
        createdAt: new Date(platform().clock.now()).toISOString(),
      },
    })
    const properties = { routeId: answer.route.id, hostname, path: '/', pluginId, deploymentId: id }
    expect(await eventsOf(answer.route.id)).toEqual([
      { event_type: 's_domain_route_created', properties: JSON.stringify(properties) },
    ])
  })

  test('a plugin and a store mean the active deployment', async () => {
    const { pluginId } = await deployPlugin(platform())
    const newest = await deployPlugin(platform(), { manifest: { pluginId, version: '1.1.0' } })
    const { storeId } = platform().local
    const { route } = await promote({ pluginId, storeId, hostname: newHost(), path: 'checkout/' })
    expect(route).toMatchObject({ deploymentId: newest.id, path: '/checkout' })
  })

  test('another deployment at the same place keeps the route, and is no new one', async () => {
    const first = await deployPlugin(platform())
    const second = await deployPlugin(platform())
    const place = { customDomain: newHost(), basePath: '/eu' }
    const { route } = await promote({ deploymentId: first.id, ...place })
    const switched = await promote({ deploymentId: second.id, ...place })
    expect(switched.route).toEqual({ ...route, deploymentId: second.id, pluginId: second.pluginId })
    expect(await promote({ deploymentId: second.id, ...place })).toEqual(switched)
    const types = (await eventsOf(route.id)).map(({ event_type: type }) => type).toSorted()
    expect(types).toEqual(['s_domain_route_created', 's_domain_route_updated'])
    const elsewhere = await promote({ deploymentId: second.id, ...place, basePath: '/us' })
    expect(elsewhere.route.id).not.toBe(route.id)
  })

  test('a new route is a 201, one that is switched or stays a 200, and a repeated request has the first status', async () => {
    const first = await deployPlugin(platform())
    const second = await deployPlugin(platform())
    const customDomain = newHost()
    const headers = { 'Idempotency-Key': customDomain }
    const sent = { body: { deploymentId: first.id, customDomain }, headers }
    const status = async (answer: Promise<{ status: number }>) => (await answer).status
    expect(await status(platform().request('POST', promoteToCustomDomain.path, sent))).toBe(201)
    expect(await status(request({ deploymentId: second.id, customDomain }))).toBe(200)
    expect(await status(request({ deploymentId: second.id, customDomain }))).toBe(200)
    expect(await status(platform().request('POST', promoteToCustomDomain.path, sent))).toBe(201)
  })

  it('promotions of one place at once make one route', async () => {
    const made = await Promise.all([1, 2, 3].map(() => deployPlugin(platform())))
    const customDomain = newHost()
    const answers = await Promise.all(made.map(({ id }) => request({ deploymentId: id, customDomain })))
    const routes = answers.map((answer) => promoteToCustomDomain.response.parse(answer.body).route)
    expect(new Set(routes.map(({ id }) => id)).size).toBe(1)
    const rows = await platform().services.db.read('SELECT deployment_id FROM domain_routes WHERE hostname = ?', [
      customDomain,
    ])
    expect(made.map(({ id }) => id)).toContain(rows[0]?.['deployment_id'])
  })

  test('a domain follows when the version that it serves is overwritten', async () => {
    const { id, pluginId } = await deployPlugin(platform())
    const place = { customDomain: newHost() }
    const { route } = await promote({ deploymentId: id, ...place })
    const next = await deployPlugin(platform(), { manifest: { pluginId, own: 2 }, overwrite: true })
    const rows = await platform().services.db.read('SELECT deployment_id FROM domain_routes WHERE id = ?', [route.id])
    expect(rows).toEqual([{ deployment_id: next.id }])
    expect(await refused({ deploymentId: id, ...place })).toEqual([409, 'state_conflict', 'deploymentId'])
  })

  test('a new version does not move a domain', async () => {
    const { id, pluginId } = await deployPlugin(platform())
    const { route } = await promote({ deploymentId: id, customDomain: newHost() })
    await deployPlugin(platform(), { manifest: { pluginId, version: '9.0.0' } })
    const rows = await platform().services.db.read('SELECT deployment_id FROM domain_routes WHERE id = ?', [route.id])
    expect(rows).toEqual([{ deployment_id: id }])
  })

  test('both forms together may say the same', async () => {
    const { id, pluginId } = await deployPlugin(platform())
    const { storeId } = platform().local
    const host = newHost()
    const { route } = await promote({
      deploymentId: id,
      customDomain: host,
      basePath: '/a',
      pluginId,
      storeId,
      hostname: `${host.toUpperCase()}.`,
      path: 'a/',
    })
    expect(route).toMatchObject({ hostname: host, path: '/a' })
  })

  test('contradictions are refused by the field that contradicts', async () => {
    const { id } = await deployPlugin(platform())
    const other = await deployPlugin(platform())
    const store = await platform().call(contract.stores.create, { body: { name: 'Second' } })
    const good = { deploymentId: id, customDomain: newHost() }
    for (const [change, param] of [
      [{ pluginId: other.pluginId }, 'pluginId'],
      [{ storeId: store.id }, 'storeId'],
      [{ hostname: 'other.example.com' }, 'hostname'],
      [{ basePath: '/a', path: '/b' }, 'path'],
    ] as const) {
      expect(await refused({ ...good, ...change })).toEqual([400, 'parameter_invalid', param])
    }
  })

  test.for<[object, readonly string[]]>([
    [{}, ['deploymentId', 'customDomain']],
    [{ customDomain: 'a.example' }, ['deploymentId']],
    [{ hostname: 'a.example' }, ['deploymentId']],
    [{ deploymentId: 'd' }, ['customDomain']],
    [{ pluginId: 'p', hostname: 'a.example' }, ['storeId']],
    [{ storeId: 's', hostname: 'a.example' }, ['pluginId']],
    [{ pluginId: 'p', storeId: 's' }, ['hostname']],
    [{ pluginId: 'p' }, ['storeId', 'hostname']],
  ])('of %j is told what is missing', async ([body, missing]) => {
    const { status, error } = await request(body)
    expect([status, error.code]).toEqual([400, 'parameter_missing'])
    expect(error.issues.map(({ path }) => path)).toEqual(missing)
  })

  test.for(['https://shop.example', 'shop.example:443', '127.0.0.1', 'localhost', 'shop.example/x', '*.shop.example'])(
    '%s is no domain of one’s own',
    async (host) => {
      const { id } = await deployPlugin(platform())
      expect(await refused({ deploymentId: id, customDomain: host })).toEqual([
        400,
        'parameter_invalid',
        'customDomain',
      ])
      expect(await refused({ deploymentId: id, hostname: host })).toEqual([400, 'parameter_invalid', 'hostname'])
    },
  )

  test.for(['plugins.localhost', 'a.plugins.localhost', 'A.B.plugins.localhost'])(
    '%s is the platform’s own',
    async (customDomain) => {
      const { id } = await deployPlugin(platform())
      expect(await refused({ deploymentId: id, customDomain })).toEqual([400, 'parameter_invalid', 'customDomain'])
    },
  )

  test('a base path that leaves its place is refused', async () => {
    for (const field of ['basePath', 'path']) {
      const body = { deploymentId: 'dep_1', customDomain: 'a.example', [field]: '/../x' }
      expect(await refused(body)).toEqual([400, 'parameter_invalid', field])
    }
  })

  test('deployments, plugins and stores of other accounts are not there', async () => {
    const { id, pluginId } = await deployPlugin(platform())
    const { apiKey } = await platform().addAccount()
    const own = await platform().call(contract.stores.create, { body: { name: 'Own' } }, apiKey)
    const { storeId } = platform().local
    for (const [body, param] of [
      [{ deploymentId: id, customDomain: newHost() }, 'deploymentId'],
      [{ pluginId, storeId, hostname: newHost() }, 'storeId'],
      [{ pluginId, storeId: own.id, hostname: newHost() }, 'pluginId'],
    ] as const) {
      const answer = await request(body, apiKey)
      expect([answer.status, answer.error.param]).toEqual([404, param])
    }
  })

  test('a plugin that was never deployed to a store cannot be promoted there', async () => {
    const { pluginId } = await deployPlugin(platform())
    const store = await platform().call(contract.stores.create, { body: { name: 'Empty' } })
    expect(await refused({ pluginId, storeId: store.id, hostname: newHost() })).toEqual([
      409,
      'state_conflict',
      'pluginId',
    ])
  })

  test('a host name belongs to the account that had it first, with all its paths', async () => {
    const { id } = await deployPlugin(platform())
    const hostname = newHost()
    await promote({ deploymentId: id, customDomain: hostname })
    const { apiKey } = await platform().addAccount()
    const store = await platform().call(contract.stores.create, { body: { name: 'Other' } }, apiKey)
    const { deploymentId } = await platform().call(contract.plugins.deploy, { body: deployBody(store.id) }, apiKey)
    const answer = await request({ deploymentId, customDomain: hostname, basePath: '/other' }, apiKey)
    expect(answer.error).toMatchObject({ code: 'resource_exists', param: 'customDomain' })
    expect(answer.status).toBe(409)
  })

  it('of two accounts that claim a host name at once, for whatever paths, one has it', async () => {
    const hostname = newHost()
    const claim = async (key: string, storeId: string, path: string) => {
      const { deploymentId } = await platform().call(contract.plugins.deploy, { body: deployBody(storeId) }, key)
      return () => request({ deploymentId, hostname, path }, key)
    }
    const { apiKey } = await platform().addAccount()
    const store = await platform().call(contract.stores.create, { body: { name: 'Rival' } }, apiKey)
    const { local } = platform()
    const claims = [await claim(apiKey, store.id, '/a'), await claim(local.apiKey, local.storeId, '/b')]
    const answers = await Promise.all(claims.map((each) => each()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)?.error.param).toBe('hostname')
  })
})

describe('outside local', () => {
  const promoterOf = ({ deploymentId, send }: DeployedAccount) => ({
    promote: (customDomain: string, more: object = {}) =>
      send(promoteToCustomDomain.path, { deploymentId, customDomain, ...more }),
  })

  const recordOf = (message: string) => {
    const [, name = '', value = ''] = /set the TXT record (\S+) to "(\S+)"/.exec(message) ?? []
    return { name, value }
  }

  it('deployments are on the plugins’ host', async () => {
    const { account } = await startDevelopment(async () => [])
    expect((await account()).url).toMatch(/^https:\/\/[a-z2-7]{26}\.plugins\.platform-pages\.example$/)
  })

  it('a domain is promoted once its record proves whose it is, and needs no proof again', async () => {
    const zone = new Map<string, string[]>()
    const asked: string[] = []
    const { account } = await startDevelopment(async (name) => {
      asked.push(name)
      return zone.get(name) ?? []
    })
    const { promote } = promoterOf(await account())
    const unproven = await promote('Shop.Example.com')
    expect([unproven.status, unproven.error.code]).toEqual([409, 'state_conflict'])
    const { name, value } = recordOf(unproven.error.message)
    expect(name).toBe('_tillwright.shop.example.com')
    expect(value).toMatch(/^tillwright-verification=[\w-]{43}$/)
    expect(recordOf((await promote('shop.example.com')).error.message)).toEqual({ name, value })
    for (const records of [['v=spf1 -all'], [`${value}x`], [value.slice(0, -1)], []]) {
      zone.set(name, records)
      expect((await promote('shop.example.com')).status).toBe(409)
    }
    zone.set(name, ['v=spf1 -all', value])
    expect((await promote('shop.example.com')).status).toBe(201)
    zone.clear()
    const before = asked.length
    expect((await promote('shop.example.com', { basePath: '/more' })).status).toBe(201)
    expect(asked).toHaveLength(before)
  })

  it('the proof of one account or name is none for another', async () => {
    const zone: string[] = []
    const { account } = await startDevelopment(async () => zone)
    const [first, second] = [promoterOf(await account()), promoterOf(await account())]
    const of = async (promoter: typeof first, name: string) =>
      recordOf((await promoter.promote(name)).error.message).value
    const values = [
      await of(first, 'a.example.com'),
      await of(first, 'b.example.com'),
      await of(second, 'a.example.com'),
    ]
    expect(new Set(values).size).toBe(3)
    zone.push(values[0] ?? '')
    expect((await second.promote('a.example.com')).status).toBe(409)
    expect((await first.promote('a.example.com')).status).toBe(201)
    zone.splice(0, 1, values[2] ?? '')
    const late = await second.promote('a.example.com')
    expect([late.status, late.error.code]).toEqual([409, 'resource_exists'])
  })

  it('a look-up that fails, or never ends, is a fault of the name servers and says nothing of the domain', async () => {
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => (asked = resolve))
    const { clock, account, logged } = await startDevelopment(async (name) => {
      if (name.includes('broken')) throw new Error('SERVFAIL')
      asked()
      return new Promise(() => {})
    })
    const { promote } = promoterOf(await account())
    const broken = await promote('broken.example.com')
    expect([broken.status, broken.error.code]).toEqual([502, 'upstream_failed'])
    expect(broken.text).not.toContain('SERVFAIL')
    const silent = promote('silent.example.com')
    await isAsked
    clock.advance(5_000)
    expect((await silent).error.code).toBe('upstream_timeout')
    expect(logged.filter((line) => line.includes('request failed'))).toHaveLength(2)
  })

  it('the platform’s own hosts cannot be a store’s domain', async () => {
    const { account } = await startDevelopment(async () => [])
    const { promote } = promoterOf(await account())
    const own = ['api.platform.example', 'vault.platform.example', 'platform.example', 'other.platform.example']
    const ofPlugins = ['plugins.platform-pages.example', 'x.plugins.platform-pages.example', 'platform-pages.example']
    for (const name of [...own, ...ofPlugins]) {
      const { status, error } = await promote(name)
      expect([name, status, error.param]).toEqual([name, 400, 'customDomain'])
    }
    expect((await promote('otherplatform.example')).status).toBe(409)
  })
})
