import { contract, type Funnel, type NewFunnelInput } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newFunnel } from '../../test/new-funnel.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

const FUNNELS = contract.funnels.create.path

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const create = (change?: Partial<NewFunnelInput>) => newFunnel(platform(), change)
  const read = (funnelId: string) => platform().call(contract.funnels.get, { params: { funnelId } })
  const update = (funnelId: string, body: object) =>
    platform().call(contract.funnels.update, { params: { funnelId }, body })
  const eventsOf = (funnelId: string) =>
    platform().services.db.read(
      'SELECT event_type, store_id, draft, properties FROM events WHERE properties LIKE ? ORDER BY event_type',
      [`%${funnelId}%`],
    )

  test('a step of a plugin that the account does not have is a 404 of its path', async () => {
    const { local, request } = platform()
    const steps = [
      { type: 'checkout', name: 'Pay', path: '/pay' },
      { type: 'upsell', name: 'More', path: '/more', pluginId: 'none' },
    ]
    const refused = [
      await request('POST', FUNNELS, { body: { storeId: local.storeId, name: 'Funnel', steps } }),
      await request('POST', `${FUNNELS}/${(await create()).id}`, { body: { steps } }),
    ]
    for (const { status, error } of refused) expect([status, error.param]).toEqual([404, 'steps[1].pluginId'])
  })

  test('a funnel is read as it was made, with ids and defaults filled in', async () => {
    const { local, clock, call } = platform()
    const now = new Date(clock.now()).toISOString()
    const pages = [{ id: 'pay', path: '/pay' }]
    const manifest = { pluginId: 'one-page', name: 'One page', version: '1.0.0', pages }
    await call(contract.plugins.deploy, { body: { storeId: local.storeId, manifest } })
    const funnel = await create({
      steps: [
        { type: 'landing', name: 'Landing', path: '/', settings: { title: 'Hello', images: [1, null] } },
        { type: 'checkout', name: 'Pay', path: '/pay', isEntry: true, pluginId: 'one-page', pageId: 'pay' },
      ],
      variants: [{ name: 'Short' }, { id: 'long', name: 'Long', weight: 2.5 }],
    })
    expect(funnel).toEqual({
      id: expect.stringMatching(/^funnel_[0-9A-Za-z]{22}$/),
      accountId: local.accountId,
      storeId: local.storeId,
      name: 'Funnel',
      active: true,
      steps: [
        {
          id: expect.stringMatching(/^step_[0-9A-Za-z]{22}$/),
          type: 'landing',
          name: 'Landing',
          path: '/',
          isEntry: false,
          pluginId: null,
          pageId: null,
          settings: { title: 'Hello', images: [1, null] },
          offer: null,
          previewOnly: false,
        },
        {
          id: expect.stringMatching(/^step_[0-9A-Za-z]{22}$/),
          type: 'checkout',
          name: 'Pay',
          path: '/pay',
          isEntry: true,
          pluginId: 'one-page',
          pageId: 'pay',
          settings: {},
          offer: null,
          previewOnly: false,
        },
      ],
      variants: [
        { id: expect.stringMatching(/^fvar_[0-9A-Za-z]{22}$/), name: 'Short', weight: 1 },
        { id: 'long', name: 'Long', weight: 2.5 },
      ],
      createdAt: now,
      archived: false,
      revision: 1,
      updatedAt: now,
    })
    expect(await read(funnel.id)).toEqual(funnel)
  })

  test('buyers begin with the first step, unless another says so', async () => {
    expect((await create()).steps.map(({ isEntry }) => isEntry)).toEqual([true, false])
  })

  test('a funnel may bring its own id, once', async () => {
    expect((await create({ id: 'my-funnel' })).id).toBe('my-funnel')
    const body = { id: 'my-funnel', storeId: platform().local.storeId, name: 'F', steps: [step('/a')] }
    const again = await platform().request('POST', FUNNELS, { body })
    expect([again.status, again.error.code, again.error.param]).toEqual([409, 'resource_exists', 'id'])
  })

  test('the problems of a funnel are told by their places', async () => {
    const body = {
      storeId: platform().local.storeId,
      name: 'F',
      steps: [
        { ...step('/a'), isEntry: true },
        { ...step('/a'), isEntry: true, type: 'No type' },
      ],
    }
    const answer = await platform().request('POST', FUNNELS, { body })
    expect(answer.status).toBe(400)
    expect(answer.error.issues.map(({ path }) => path)).toEqual(['steps[1].type', 'steps[1].isEntry', 'steps[1].path'])
  })

  test('an update changes what it names and leaves the rest', async () => {
    const funnel = await create({ variants: [{ name: 'A' }] })
    platform().clock.advance(1_000)
    const updatedAt = new Date(platform().clock.now()).toISOString()
    const renamed = await update(funnel.id, { name: 'Renamed', active: false })
    expect(renamed).toEqual({ ...funnel, name: 'Renamed', active: false, updatedAt, revision: 2 })
    const emptied = await update(funnel.id, { variants: [] })
    expect(emptied).toEqual({ ...renamed, variants: [], revision: 3 })
    expect(await read(funnel.id)).toEqual(emptied)
  })

  test('an update that changes nothing is no change: neither its time nor an event tells of one', async () => {
    const funnel = await create({ variants: [{ name: 'A' }] })
    platform().clock.advance(1_000)
    const { steps, variants, name } = funnel
    for (const same of [{}, { name }, { steps, variants }]) expect(await update(funnel.id, same)).toEqual(funnel)
    expect(await read(funnel.id)).toEqual(funnel)
    const selectEvents = "SELECT properties FROM events WHERE event_type = 's_funnel_updated'"
    const rows = await platform().services.db.read(selectEvents, [])
    expect(rows.filter(({ properties }) => String(properties).includes(funnel.id))).toEqual([])
  })

  test('an update replaces the list of steps; a step that is named by its id stays the same one', async () => {
    const { id, steps } = await create()
    const [first, second] = steps
    const changed = await update(id, { steps: [step('/new'), { ...second, name: 'Bye' }] })
    expect(changed.steps.map((one) => one.name)).toEqual(['Step', 'Bye'])
    expect(changed.steps[1]).toEqual({ ...second, name: 'Bye' })
    expect(changed.steps[0]?.isEntry).toBe(true)
    expect(changed.steps[0]?.id).not.toBe(first?.id)
  })

  it('of two updates at once none is lost', async () => {
    const { id } = await create()
    await Promise.all([update(id, { name: 'Both' }), update(id, { active: false })])
    expect(await read(id)).toMatchObject({ name: 'Both', active: false })
  })

  test('each change is one event', async () => {
    const { id, storeId } = await create()
    await update(id, { name: 'Renamed' })
    const common = { store_id: storeId, draft: 0 }
    const changed = { archived: false, revision: 2, changed: ['name'] }
    expect(await eventsOf(id)).toEqual([
      { ...common, event_type: 's_funnel_created', properties: JSON.stringify({ funnelId: id, name: 'Funnel' }) },
      {
        ...common,
        event_type: 's_funnel_updated',
        properties: JSON.stringify({ funnelId: id, name: 'Renamed', ...changed }),
      },
    ])
  })

  test('pages of a list make up the whole, newest first, and no funnel comes twice', async () => {
    const { call, clock } = platform()
    const { id: storeId } = await call(contract.stores.create, { body: { name: 'Store of pages' } })
    const made: Funnel[] = []
    for (const pause of [1, 0, 5, 0, 7]) {
      clock.advance(pause)
      made.push(await create({ storeId }))
    }
    const pages: Funnel[][] = []
    for (let after: string | null | undefined; after !== null;) {
      const page = await call(contract.funnels.list, { query: { storeId, limit: 2, ...(after && { after }) } })
      expect(page.hasMore).toBe(page.nextCursor !== null)
      pages.push(page.data)
      after = page.nextCursor
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
    const newestFirst = made.toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? 1 : -1))
    expect(pages.flat()).toEqual(newestFirst)
    const all = await call(contract.funnels.list, { query: { limit: 100 } })
    expect(all.data.slice(0, 5)).toEqual(newestFirst)
    expect(all.data.length).toBeGreaterThan(5)
  })

  test('a page has 20 funnels unless it says otherwise, and a cursor that is none is refused', async () => {
    const { call, request } = platform()
    const { id: storeId } = await call(contract.stores.create, { body: { name: 'Full store' } })
    await Promise.all(Array.from({ length: 21 }, () => create({ storeId })))
    const page = await call(contract.funnels.list, { query: { storeId } })
    expect([page.data.length, page.hasMore]).toEqual([20, true])
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=x', 'after=%00', 'storeId=%00']) {
      const answer = await request('GET', `${FUNNELS}?${query}`)
      expect([answer.status, answer.error.param], query).toEqual([400, query.split('=')[0]])
    }
  })

  test('another account’s funnels and stores are not found', async () => {
    const { addAccount, request, local } = platform()
    const { apiKey: key } = await addAccount()
    const funnel = await create()
    const place = `${FUNNELS}/${funnel.id}`
    const answers = [
      await request('GET', place, { key }),
      await request('POST', place, { key, body: { name: 'Mine' } }),
      await request('POST', FUNNELS, { key, body: { storeId: local.storeId, name: 'F', steps: [step('/a')] } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(answers.map(({ error }) => error.param)).toEqual(['funnelId', 'funnelId', 'storeId'])
    for (const query of ['', `?storeId=${local.storeId}`]) {
      const list = await request('GET', FUNNELS + query, { key })
      expect(list.body).toEqual({ data: [], hasMore: false, nextCursor: null })
    }
    expect(await read(funnel.id)).toEqual(funnel)
  })

  function step(path: string) {
    return { type: 'custom', name: 'Step', path }
  }
})
