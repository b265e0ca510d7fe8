import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { harmless, openAttacker, uniqueKeys, type Attacker } from '../faults/tenant-attacks.ts'
import { newPlace } from '../faults/new-place.ts'
import { startProcess } from '../faults/platform-process.ts'
import { startWatched, STALL_MS, type Latencies } from '../faults/watched-platform.ts'

// A tenant with an account's secret key, or a buyer with the token of a session, which anyone may begin. From four
// clients at once they do the most expensive things that a request can ask for, again and again.

const CLIENTS = 4
const EACH_MS = soaks ? 15_000 : 1_000
/** Promised p99 of all others during one tenant's attack. */
const HEALTH_P99_MS = 50

type Attack = () => Promise<{ status: number }>

const attacks: Readonly<Record<string, (attacker: Attacker) => Promise<Attack>>> = {
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
    const presets = { dark: { text: 'x'.repeat(800_000), values: uniqueKeys(9_000) } }
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

/** In npm test `slow-patterns.test.ts` and `huge-bodies.test.ts` stand for the others, with one client each. */
const tried = Object.keys(attacks).filter((name) => soaks || name === 'pages that send as many values as fit')

test.each(tried)('/healthz answers at once while four clients try %s', async (name) => {
  const { local, watch, stop } = await startWatched()
  const attack = await attacks[name]?.(await openAttacker(local))
  if (attack === undefined) throw new Error(`There is no attack called ${name}.`)
  const idle = soaks ? (await watch(() => delay(EACH_MS / 5))).health : null
  const { result: statuses, health } = await watch(() => tryWith(attack))
  const { longestMs } = await stop()
  if (soaks) process.stdout.write(`${name}: ${summary({ statuses, health, idle, longestMs })}\n`)
  expect(statuses.length).toBeGreaterThanOrEqual(CLIENTS)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  // In npm test other tests have the machine, so that the time of answers says nothing of the platform; the soak is alone.
  if (soaks) expect(health.p99).toBeLessThan(HEALTH_P99_MS)
  expect(longestMs).toBeLessThan(STALL_MS)
})

test('the platform as it is built finds the threads that it reads and checks in', async () => {
  const main = new URL('../dist/main.js', import.meta.url)
  const { local } = await startProcess(await newPlace('sqlite'), { main })
  const { sync, deploy, storeId } = await openAttacker(local)
  const presets = { dark: { colour: '#11223g', more: 'x'.repeat(100_000) } }
  const schema = { properties: { colour: { pattern: '^#[0-9a-f]{6}$' } } }
  expect((await sync({ dryRun: true, schema, presets })).body).toMatchObject({ invalid: [{ pointer: '/colour' }] })
  const { status, error } = await deploy(harmless(storeId, uniqueKeys(30_000)))
  expect([status, error.code]).toEqual([400, 'json_invalid'])
})

/** Has four clients attack one after the other's answer; a connection that is cut off counts as 0. */
async function tryWith(attack: Attack): Promise<number[]> {
  const end = performance.now() + EACH_MS
  const statuses: number[] = []
  const client = async () => {
    while (performance.now() < end)
      statuses.push(
        await attack().then(
          ({ status }) => status,
          () => 0,
        ),
      )
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return statuses
}

function summary({ statuses, health, idle, longestMs }: Figures): string {
  const counted = Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => `${all?.length} x ${status}`)
  const times = ({ asked, p50, p99, max }: Latencies) =>
    `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, at most ${max.toFixed(1)} ms of ${asked}`
  return `${counted.join(', ')}; /healthz ${times(health)}; idle ${idle === null ? '-' : times(idle)}; longest turn ${longestMs.toFixed(1)} ms`
}

interface Figures {
  statuses: readonly number[]
  health: Latencies
  idle: Latencies | null
  longestMs: number
}
