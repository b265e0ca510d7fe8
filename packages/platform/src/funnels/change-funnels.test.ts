import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newFunnel, newPreviewSession } from '../../test/new-funnel.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

const FUNNELS = contract.funnels.create.path

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const create = (name = 'Funnel') => newFunnel(platform(), { name })
  const read = (funnelId: string) => platform().call(contract.funnels.get, { params: { funnelId } })
  const update = (id: string, body: object, headers: Record<string, string> = {}) =>
    platform().request('POST', `${FUNNELS}/${id}`, { body, headers })
  const move = (funnelId: string, to: 'archive' | 'unarchive', revision: number) =>
    platform().call(contract.funnels[to], { params: { funnelId }, body: { revision } })
  const begin = (funnelId: string) =>
    platform().pageRequest('POST', contract.session.begin.path, { body: { funnelId } })
  const listed = async (query: object) =>
    (await platform().call(contract.funnels.list, { query: { limit: 100, ...query } })).data.map(({ id }) => id)
  const eventsOf = async (id: string) => {
    const query = { types: 's_funnel_updated', limit: 100 }
    const { data } = await platform().call(contract.eventLog.list, { query })
    const own = data.map(({ properties }) => Object(properties)).filter(({ funnelId }) => funnelId === id)
    return own.toSorted((one, other) => one.revision - other.revision)
  }

  it('of two clients that send the same revision one wins, and the other sees both states', async () => {
    const { id } = await create()
    const both = ['Ada', 'Bea'].map((name) => update(id, { name, revision: 1 }))
    const [won, lost] = (await Promise.all(both)).toSorted((one, other) => one.status - other.status)
    expect([won?.status, lost?.status]).toEqual([200, 409])
    expect(lost?.body).toMatchObject({
      error: { code: 'revision_conflict', expectedRevision: 1, currentRevision: 2, current: won?.body },
    })
    expect(await read(id)).toEqual(won?.body)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('a step that is sent again without its id keeps the one of its path, so that buyers stay where they are', async () => {
    const step = (path: string, more: object = {}) => ({ type: 'custom', name: path, path, ...more })
    const sent = [step('/'), step('/checkout'), step('/thanks')]
    const { id, steps } = await newFunnel(platform(), { steps: sent })
    const [entry, checkout] = steps
    const { body } = await update(id, { steps: [step('/', { name: 'Home' }), step('/more'), step('/checkout')] })
    const after = contract.funnels.update.response.parse(body).steps.map((each) => each.id)
    expect([after[0], after[2]]).toEqual([entry?.id, checkout?.id])
    expect(steps.map((each) => each.id)).not.toContain(after[1])
    const moved = await update(id, { steps: [step('/', { id: checkout?.id }), step('/checkout')] })
    const ids = contract.funnels.update.response.parse(moved.body).steps.map((each) => each.id)
    expect([ids[0], new Set(ids).size]).toEqual([checkout?.id, 2])
  })

  test('the revision may come as If-Match, and the audit log has the funnel before and after', async () => {
    const { id } = await create()
    expect((await update(id, { name: 'Renamed' }, { 'If-Match': '"1"' })).body).toMatchObject({ revision: 2 })
    const late = await update(id, { active: false }, { 'If-Match': '"1"' })
    expect([late.status, late.error.code]).toEqual([409, 'revision_conflict'])
    const { data } = await platform().call(contract.audit.list, { query: { resourceId: id } })
    expect(data.find(({ operation }) => operation === 'funnels.update')?.changes).toMatchObject({
      before: { name: 'Funnel', revision: 1 },
      after: { name: 'Renamed', revision: 2 },
    })
  })

  test('an archived funnel is left out of lists, can be read, and comes back', async () => {
    const q = `heirloom ${engine}`
    const { id } = await create(q)
    expect(await move(id, 'archive', 1)).toMatchObject({ id, archived: true, revision: 2 })
    expect([await listed({ q }), await listed({ q, archived: true })]).toEqual([[], [id]])
    expect(await read(id)).toMatchObject({ archived: true, revision: 2 })
    expect(await move(id, 'archive', 2)).toMatchObject({ revision: 2 })
    expect(await move(id, 'unarchive', 2)).toMatchObject({ archived: false, revision: 3 })
    expect([await listed({ q }), await listed({ q, archived: true })]).toEqual([[id], []])
    expect((await eventsOf(id)).map(({ archived, changed }) => [archived, changed])).toEqual([
      [true, ['archived']],
      [false, ['archived']],
    ])
  })

  it('no session begins in an archived funnel, nor a preview, and those under way go on', async () => {
    const funnel = await create()
    const begun = await begin(funnel.id)
    expect(begun.status).toBe(201)
    const { sessionId } = await newPreviewSession(platform(), funnel)
    await move(funnel.id, 'archive', 1)
    const preview = await platform().request('POST', `/api/public/v1/funnels/${funnel.id}/preview-session`, {
      body: { storeId: funnel.storeId, stepId: funnel.steps[0]?.id },
    })
    for (const { status, error } of [await begin(funnel.id), preview]) {
      expect([status, error.code, error.param]).toEqual([409, 'state_conflict', 'funnelId'])
    }
    const key = String(Object(begun.body).token)
    const going = await platform().pageRequest('GET', contract.session.get.path, { key })
    expect([going.status, Object(going.body).funnel]).toMatchObject([200, { id: funnel.id }])
    expect(await platform().call(contract.funnelSessions.get, { params: { sessionId } })).toMatchObject({ sessionId })
    await move(funnel.id, 'unarchive', 2)
    expect((await begin(funnel.id)).status).toBe(201)
  })
})
