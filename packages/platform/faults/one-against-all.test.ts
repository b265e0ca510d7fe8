import { expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { harmless, openAttacker, uniqueKeys, type Attacker } from './tenant-attacks.ts'
import { startWatched, STALL_MS } from './watched-platform.ts'

const CLIENTS = 4
const EACH_MS = soaks ? 15_000 : 1_500
/** What everybody else is promised while one tenant does what they can. */
const HEALTH_P99_MS = 50

const attacks: Readonly<Record<string, (attacker: Attacker) => Promise<() => Promise<{ status: number }>>>> = {
  'patterns that backtrack':
    async ({ syncPattern }) =>
    () =>
      syncPattern('^(a+)+$', `${'a'.repeat(40)}!`),
  'schemas that take their whole time': async ({ sync }) => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({ index }))
    const schema = { allOf: Array.from({ length: 40 }, () => ({ properties: { many: { uniqueItems: true } } })) }
    return () => sync({ dryRun: true, schema, presets: { dark: { many } } })
  },
  'deployments of 18 MB of names': async ({ deploy, storeId }) => {
    const body = JSON.stringify(harmless(storeId, uniqueKeys(1_300_000)))
    return () => deploy(body)
  },
  'deployments of 18 MB of text': async ({ deploy, storeId }) => {
    const content = Buffer.alloc(13_500_000, 'large').toString('base64')
    const asset = { path: 'large.bin', content, encoding: 'base64' }
    const body = JSON.stringify({ ...harmless(storeId), inlineAssets: [...harmless(storeId).inlineAssets, asset] })
    return () => deploy(body)
  },
  'settings of a megabyte': async ({ sync }) => {
    const presets = { dark: { text: 'x'.repeat(100_000), values: uniqueKeys(9_000) } }
    return () => sync({ dryRun: true, presets })
  },
  'pages that send a megabyte of names': async ({ setLines }) => {
    const body = JSON.stringify(uniqueKeys(87_000))
    return () => setLines(body)
  },
  'pages that send as many values as fit': async ({ setLines }) => {
    const body = JSON.stringify({ lines: [], more: uniqueKeys(1_900) })
    return () => setLines(body)
  },
}

test.each(Object.keys(attacks))('/healthz answers at once while four clients try %s', async (name) => {
  const { local, watch, stop } = await startWatched()
  const attacker = await openAttacker(local)
  const attack = await attacks[name]?.(attacker)
  if (attack === undefined) throw new Error(`There is no attack called ${name}.`)
  const { result: statuses, health } = await watch(async () => {
    const end = performance.now() + EACH_MS
    const tried: number[] = []
    const client = async () => {
      while (performance.now() < end)
        tried.push(
          await attack().then(
            ({ status }) => status,
            () => 0,
          ),
        )
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    return tried
  })
  const { longestMs } = await stop()
  const counted = Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => `${all?.length} × ${status}`)
  if (soaks) process.stdout.write(`${name}: ${counted.join(', ')}; ${JSON.stringify({ ...health, longestMs })}\n`)
  expect(statuses.length).toBeGreaterThanOrEqual(CLIENTS)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  // In npm test other programs have the machine, so that the time of answers says nothing of the platform.
  if (soaks) expect(health.p99).toBeLessThan(HEALTH_P99_MS)
  expect(longestMs).toBeLessThan(STALL_MS)
})
