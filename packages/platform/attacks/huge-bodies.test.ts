import { expect, test } from 'vitest'
import { harmless, openAttacker, uniqueKeys } from '../faults/tenant-attacks.ts'
import { startWatched, STALL_MS } from '../faults/watched-platform.ts'

// A tenant with an account's secret key, and a buyer with the token of a session, which anyone may begin. They send
// bodies that are small enough to be taken and take long to be read: many names, many values, much text.

const MANY_KEYS = 1_300_000 // 18 MB
const PAGE_KEYS = 87_000 // 1 MB

test('deployments of 18 MB of names, or of text, keep no other request waiting', async () => {
  const { local, watch, stop } = await startWatched()
  const { deploy, storeId } = await openAttacker(local)
  const names = JSON.stringify(harmless(storeId, uniqueKeys(MANY_KEYS)))
  expect(names.length).toBeGreaterThan(18_000_000)
  const asset = { path: 'large.bin', content: Buffer.alloc(13_500_000, 'large').toString('base64'), encoding: 'base64' }
  const text = JSON.stringify({ ...harmless(storeId), inlineAssets: [...harmless(storeId).inlineAssets, asset] })
  expect(text.length).toBeGreaterThan(18_000_000)

  const { result } = await watch(async () => [await deploy(names), await deploy(text)])
  const [refused, taken] = result
  expect([refused?.status, refused?.error.code]).toEqual([400, 'json_invalid'])
  expect(refused?.error.message).toContain('more than the 20000 values')
  expect(taken?.status).toBe(201)
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})

test('what was read elsewhere is refused in the same words as what was not', async () => {
  const { local } = await startWatched()
  const { deploy, storeId } = await openAttacker(local)
  const padding = { padding: 'x'.repeat(100_000) }
  const verdict = async (body: object | string) => {
    const { status, error } = await deploy(body)
    const { docUrl: _, requestId: __, ...shown } = error
    return { status, ...shown }
  }
  const wrong = { ...harmless(storeId), manifest: { name: '' } }
  expect(await verdict({ ...wrong, ...padding })).toEqual(await verdict(wrong))
  const card = { ...harmless(storeId), sourceData: { a: '4242 4242 4242 4242' } }
  expect(await verdict({ ...card, ...padding })).toEqual(await verdict(card))
  const twice = (more: string) => `{"storeId":"a","storeId":"b","padding":"${more}"}`
  expect(await verdict(twice('x'.repeat(100_000)))).toEqual(await verdict(twice('')))
})

test('a page sends 64 KiB at most, and few values', async () => {
  const { local, watch, stop } = await startWatched()
  const { setLines } = await openAttacker(local)
  const large = JSON.stringify(uniqueKeys(PAGE_KEYS))
  expect(large.length).toBeGreaterThan(1_000_000)
  const crowded = JSON.stringify({ lines: [], more: Array.from({ length: 20_000 }, () => 1) })
  expect(crowded.length).toBeLessThan(64 * 1024)

  const { result } = await watch(async () => [await setLines(large), await setLines(crowded)])
  const [tooLarge, tooMany] = result
  expect([tooLarge?.status, tooLarge?.error.code]).toEqual([413, 'body_too_large'])
  expect(tooLarge?.error.message).toContain('65536 bytes')
  expect([tooMany?.status, tooMany?.error.code]).toEqual([400, 'json_invalid'])
  expect(tooMany?.error.message).toContain('more than the 2000 values')
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})

/** Settings as deep as a body may be, with most of them at the bottom. */
const nested = (bottom: object): Record<string, unknown> =>
  Array.from({ length: 55 }).reduce<Record<string, unknown>>((inner) => ({ a: inner }), { ...bottom })

test('settings as deep and as many as they may be are merged without keeping anybody waiting', async () => {
  const { local, watch, stop } = await startWatched()
  const { sync, edit } = await openAttacker(local)
  const many = uniqueKeys(9_000)
  expect((await sync({ presets: { dark: nested(many) } })).status).toBe(200)
  expect((await edit({ presets: { dark: nested({ merchant: 1 }) } })).status).toBe(200)
  const { result } = await watch(() => sync({ presets: { dark: nested({ ...many, author: 1 }) } }))
  expect(result.body).toMatchObject({ updated: ['dark'], conflicts: [] })

  const twice = await sync({ presets: { light: nested(many) } })
  expect([twice.status, twice.error.code]).toEqual([400, 'parameter_invalid'])
  expect(twice.error.message).toContain('at most 1048576 bytes and 10000 values')
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})
