import { describe, expect, test } from 'vitest'
import { buyersPage, codeOf, filledPage, takenOver } from '../../../platform/test/buyer-session.ts'
import { newPreviewSession } from '../../../platform/test/new-funnel.ts'
import { newCode, newPromotion } from '../../../platform/test/new-promotion.ts'
import { sharedPlatform, SHOP_URL } from '../../../platform/test/test-platform.ts'
import { checkoutWith, firstVariant, localPage } from '../../test/local-page.ts'

const platform = sharedPlatform()
const HOUR_MS = 60 * 60 * 1_000

/** Records requests, and fails the first few. */
function watchedFetch(failures = 0) {
  const sent: { method: string; path: string; key: string | null }[] = []
  let left = failures
  return {
    sent,
    fail: (times: number) => (left = times),
    fetch: async (url: string, init: RequestInit) => {
      const { pathname } = new URL(url)
      sent.push({ method: init.method ?? '', path: pathname, key: new Headers(init.headers).get('idempotency-key') })
      left -= 1
      if (left >= 0) throw new TypeError('Failed to fetch')
      return fetch(url, init)
    },
  }
}

/** A preview session, and a code that hands it over. */
async function previewCode() {
  const preview = await newPreviewSession(platform())
  return { ...preview, code: await codeOf(await buyersPage(platform(), preview.token)) }
}

test('a page creates a session at the first step of its funnel', async () => {
  const page = localPage(platform())
  expect(page.session.get()).toMatchObject({ status: 'starting', view: null })
  const view = await page.session.ready()
  expect(view.step?.id).toBe(platform().local.stepId)
  expect(page.session.get()).toEqual({ status: 'ready', view, isBusy: false, error: null })
})

test('a page without a funnel creates a session of the store', async () => {
  const page = localPage(platform(), { data: { funnel: null } })
  expect(await page.session.ready()).toMatchObject({ funnel: null, step: null, storeId: platform().local.storeId })
  await expect(page.next()).rejects.toMatchObject({ code: 'funnel_missing' })
})

test('after a reload the tab resumes its session', async () => {
  const storage = new Map<string, string>()
  const first = await localPage(platform(), { storage }).session.ready()
  const second = await localPage(platform(), { storage }).session.ready()
  const elsewhere = await localPage(platform()).session.ready()
  expect(second.sessionId).toBe(first.sessionId)
  expect(elsewhere.sessionId).not.toBe(first.sessionId)
})

test('of two changes a page is drawn as they begin and once for each answer, not again for their end', async () => {
  const page = localPage(platform())
  await page.session.ready()
  const drawn: [isBusy: boolean, lines: number | undefined, country: string | null | undefined][] = []
  let isDue = false
  page.session.subscribe(() => {
    if (isDue) return
    isDue = true
    // As Preact and React do: everything that is told in one go is drawn once.
    queueMicrotask(() => {
      isDue = false
      const { isBusy, view } = page.session.get()
      drawn.push([isBusy, view?.order.lines.length, view?.customer.shippingAddress?.country])
    })
  })
  await Promise.all([
    page.order.setLines([{ variantId: await firstVariant(platform()) }]),
    page.customer.setAddress({ shippingAddress: { country: 'IE' } }),
  ])
  expect(drawn).toEqual([
    [true, 0, undefined],
    [true, 1, undefined],
    [false, 1, 'IE'],
  ])
})

test('nothing stored in the tab identifies the buyer', async () => {
  const storage = new Map<string, string>()
  const page = localPage(platform(), { storage })
  await page.customer.setContact({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' })
  const { storeId, funnelId } = platform().local
  expect([...storage.keys()]).toEqual([`tillwright:${storeId}:${funnelId}`])
  expect([...storage.values()].join('')).not.toMatch(/ada@|lovelace/i)
})

test.each([
  ['', ''],
  ['#reviews', '&'],
])('a code in the address %s is removed from it, and opens its session', async (fragment, before) => {
  const { code, sessionId } = await previewCode()
  const address = `${SHOP_URL}/checkout?a=1${fragment}`
  const handed = `${address}${before || '#'}tillwright-code=${code}`
  const page = localPage(platform(), { address: handed, storage: new Map([['x', 'y']]) })
  expect(page.environment.location.href).toBe(address)
  expect(page.isPreview).toBe(false)
  expect(await page.session.ready()).toMatchObject({ sessionId, isPreview: true })
  expect(page.isPreview).toBe(true)
})

test('a buyer whose session has expired continues in another one, with cart, code, contact, address and shipping', async () => {
  const page = localPage(platform())
  const code = newCode()
  await newPromotion(platform(), { code })
  const variantId = await firstVariant(platform())
  await page.order.setLines([{ variantId, quantity: 3 }])
  await page.order.applyPromotionCode(code)
  await page.customer.setAddress({ shippingAddress: { line1: '12 Weaver Street', country: 'IE' } })
  await page.customer.setContact({ email: 'grace@example.com', lastName: 'Ng' })
  const express = page.order.get()?.shipping?.options[1]?.id ?? ''
  const before = await page.order.chooseShipping(express)
  expect(before.order.shipping?.optionId).toBe(express)
  platform().clock.advance(2 * HOUR_MS)
  const after = await page.session.refresh()
  expect(after.sessionId).not.toBe(before.sessionId)
  expect(after.order).toEqual(before.order)
  expect(after.customer).toEqual({ ...before.customer, id: after.customer.id })
})

test('after a reload, an expired session passes its cart to the next one', async () => {
  const storage = new Map<string, string>()
  const variantId = await firstVariant(platform())
  const before = await localPage(platform(), { storage }).order.setLines([{ variantId, quantity: 3 }])
  platform().clock.advance(2 * HOUR_MS)
  const after = await localPage(platform(), { storage }).session.ready()
  expect(after.sessionId).not.toBe(before.sessionId)
  expect(after.order.lines).toEqual(before.order.lines)
})

test.each(['kept in the tab', 'in the address'])(
  'an expired preview %s says so, and is not replaced by a real session',
  async (place) => {
    const { code } = await previewCode()
    const storage = new Map<string, string>()
    const address = `${SHOP_URL}/checkout#tillwright-code=${code}`
    if (place === 'kept in the tab') await localPage(platform(), { address, storage }).session.ready()
    platform().clock.advance(2 * HOUR_MS)
    const page = localPage(platform(), place === 'in the address' ? { address } : { storage })
    await expect(page.session.ready()).rejects.toMatchObject({
      code: expect.stringMatching(/^(session_)?token_expired$/),
    })
    expect(page.session.get()).toMatchObject({ status: 'expired', view: null })
  },
)

test('a preview with its own settings has them from its first response on', async () => {
  const builderOptions = { config: { colour: 'green' } }
  const { token } = await newPreviewSession(platform(), undefined, { builderOptions })
  const page = localPage(platform(), { data: { config: { colour: 'red' }, session: { token, isPreview: true } } })
  const { config } = page
  expect(config.get()).toEqual({ colour: 'red' })
  const received = new Promise<unknown>((resolve) => {
    config.subscribe(() => config.get()['colour'] === 'green' && resolve(config.get()))
  })
  await page.session.ready()
  expect(await received).toEqual({ colour: 'green' })
})

test('a preview that can be renewed continues in another one with its cart', async () => {
  const first = await newPreviewSession(platform())
  const renewUrl = `${SHOP_URL}/renew`
  const page = localPage(platform(), {
    data: { session: { token: first.token, isPreview: true }, renewUrl },
    fetch: async (url, init) => {
      if (url !== renewUrl) return fetch(url, init)
      const { token } = await newPreviewSession(platform())
      return Response.json({ token })
    },
  })
  expect(page.isPreview).toBe(true)
  await page.order.add({ variantId: await firstVariant(platform()) })
  platform().clock.advance(2 * HOUR_MS)
  const view = await page.session.refresh()
  expect(view.sessionId).not.toBe(first.sessionId)
  expect(view).toMatchObject({ isPreview: true, order: { lines: [{ quantity: 1 }] } })
})

test('a session from the dev server replaces the current one, and its settings are live', async () => {
  const page = localPage(platform(), { data: { config: { colour: 'red' } } })
  await page.session.ready()
  const { token, sessionId } = await newPreviewSession(platform())
  const colours: unknown[] = []
  page.config.subscribe(() => colours.push(page.config.get()['colour']))
  page.environment.dispatch({ ...page.data, config: { colour: 'blue' }, session: { token, isPreview: true } })
  expect(colours).toEqual(['blue'])
  await expect.poll(() => page.session.get().view?.sessionId).toBe(sessionId)
})

test('a change that gets no response is sent again with the same key, and the page is offline meanwhile', async () => {
  const { fetch: send, sent, fail } = watchedFetch()
  const page = localPage(platform(), { fetch: send })
  await page.session.ready()
  const statuses: string[] = []
  page.session.subscribe(() => statuses.push(page.session.get().status))
  fail(2)
  await page.customer.setContact({ email: 'ada@example.com' })
  const [first, ...others] = sent.slice(1)
  expect(others.map(({ key }) => key)).toEqual([first?.key, first?.key])
  expect(statuses).toContain('offline')
  expect(page.session.get()).toMatchObject({ status: 'ready', error: null, isBusy: false })
})

test('a page without a response fails at last, and starts when it is online again', async () => {
  const { fetch: send } = watchedFetch(6)
  const page = localPage(platform(), { fetch: send })
  await expect(page.session.ready()).rejects.toMatchObject({ code: 'network_failed', status: null })
  expect(page.session.get()).toMatchObject({ status: 'offline', view: null })
  page.environment.comeBack()
  await expect.poll(() => page.session.get().status).toBe('ready')
})

test('a refused session has the reason', async () => {
  const page = localPage(platform(), { data: { funnel: { id: 'funnel_none', stepId: 'step' } } })
  await expect(page.session.ready()).rejects.toMatchObject({ code: 'resource_missing', status: 404 })
  expect(page.session.get()).toMatchObject({ status: 'failed', error: { param: 'funnelId' } })
})

test("a response that is not the platform's is reported as such", async () => {
  const page = localPage(platform(), { fetch: async () => new Response('<h1>Proxy</h1>', { status: 404 }) })
  await expect(page.session.ready()).rejects.toMatchObject({ code: 'response_invalid', status: 404 })
})

test('reported events arrive in the session’s name, and a refusal never fails the page', async () => {
  const page = localPage(platform())
  page.track('Not a name')
  page.track('video_watched', { seconds: 30 })
  const { sessionId } = await page.session.ready()
  const selectEvents = "SELECT properties FROM events WHERE event_type = 's_funnel_session_event_tracked'"
  await expect.poll(() => platform().services.db.read(selectEvents, [])).toHaveLength(1)
  const [row] = await platform().services.db.read(selectEvents, [])
  const event = { sessionId, name: 'video_watched', properties: { seconds: 30 } }
  expect(JSON.parse(String(row?.['properties']))).toMatchObject(event)
})

describe('a session that is handed over', () => {
  const withCode = (code: string, options: Parameters<typeof localPage>[1] = {}) =>
    localPage(platform(), { address: `${SHOP_URL}/checkout#tillwright-code=${code}`, ...options })

  test('replaces the session of the tab', async () => {
    const storage = new Map<string, string>()
    await localPage(platform(), { storage }).session.ready()
    const sender = await filledPage(platform())
    const page = withCode(await codeOf(sender), { storage })
    expect((await page.session.ready()).sessionId).toBe(sender.session.sessionId)
    expect((await localPage(platform(), { storage }).session.ready()).sessionId).toBe(sender.session.sessionId)
  })

  test('is not opened by a token in the address, which is removed', async () => {
    const sender = await filledPage(platform())
    const page = localPage(platform(), { address: `${SHOP_URL}/checkout#tillwright-session=${sender.token}` })
    expect((await page.session.ready()).sessionId).not.toBe(sender.session.sessionId)
    expect(page.environment.location.href).toBe(`${SHOP_URL}/checkout`)
    expect([...page.environment.storageMap.values()].join('')).not.toContain(sender.token)
  })

  test('is taken over once, even if the response is lost and the page is reloaded meanwhile', async () => {
    const sender = await filledPage(platform())
    const storage = new Map<string, string>()
    const deaf = withCode(await codeOf(sender), {
      storage,
      fetch: async (url, init) => {
        await fetch(url, init)
        throw new TypeError('Failed to fetch')
      },
    })
    await expect(deaf.session.ready()).rejects.toMatchObject({ code: 'network_failed' })
    const again = localPage(platform(), { storage })
    expect((await again.session.ready()).sessionId).toBe(sender.session.sessionId)
  })

  test('leaves the tab with its own session if the code has expired', async () => {
    const storage = new Map<string, string>()
    const own = await localPage(platform(), { storage }).session.ready()
    const code = await codeOf(await filledPage(platform()))
    await takenOver(platform(), code)
    expect((await withCode(code, { storage }).session.ready()).sessionId).toBe(own.sessionId)
    expect((await withCode(code).session.ready()).sessionId).not.toBe(own.sessionId)
  })

  test('shows the lines brought along, and can be paid once the buyer has confirmed them', async () => {
    const page = withCode(await codeOf(await filledPage(platform())), { checkout: checkoutWith(platform()) })
    await page.pay.mount('#card')
    expect((await page.session.ready()).broughtAlong?.lines).toMatchObject([{ quantity: 2, amount: 4_800 }])
    expect(await page.pay.withCard()).toMatchObject({ outcome: 'failed', error: { param: 'broughtAlong' } })
    expect((await page.order.confirm()).broughtAlong).toBeNull()
    expect(await page.pay.withCard()).toMatchObject({ outcome: 'paid' })
  })

  test('is reported as moved in the page it left, where the buyer can start another one', async () => {
    const page = localPage(platform(), { checkout: checkoutWith(platform()) })
    await page.order.add({ variantId: await firstVariant(platform()) })
    await page.pay.mount('#card')
    const { token } = JSON.parse([...page.environment.storageMap.values()][0] ?? '')
    const before = await page.session.ready()
    await takenOver(platform(), await codeOf(await buyersPage(platform(), token)))
    expect(await page.pay.withCard()).toMatchObject({ outcome: 'failed', error: { code: 'session_token_replaced' } })
    expect(page.session.get().status).toBe('moved')
    expect(page.environment.visited).toEqual([])
    const after = await page.session.startOver()
    expect([after.sessionId === before.sessionId, after.order.lines]).toEqual([false, []])
    expect(page.session.get()).toMatchObject({ status: 'ready', error: null })
  })

  test('is found by a page from the back/forward cache if another document of its tab has it by now', async () => {
    const storage = new Map<string, string>()
    const kept = localPage(platform(), { storage })
    const { sessionId } = await kept.session.ready()
    const { token } = JSON.parse([...storage.values()][0] ?? '')
    const code = await codeOf(await buyersPage(platform(), token))
    await withCode(code, { storage }).session.ready()
    expect((await kept.session.refresh()).sessionId).toBe(sessionId)
    expect(kept.session.get().status).toBe('ready')
  })
})
