import type { Client } from '@tillwright/client'
import { expect, test } from 'vitest'
import type { Content } from './content.ts'
import { makePlan } from './plan.ts'
import { applyPlan } from './publish.ts'
import type { Remote } from './remote.ts'

const MIB = 1_048_576

/** Publishes files of these sizes, and returns each request's time limit, its bytes, and those on their way meanwhile. */
async function uploadsOf(sizes: readonly number[]): Promise<{ timeoutMs: number; bytes: number; onTheWay: number }[]> {
  const sent: { timeoutMs: number; bytes: number; onTheWay: number }[] = []
  let onTheWay = 0
  const client = {
    plugins: {
      async uploadAssets({ assets }: { assets: { content: string }[] }, { timeoutMs }: { timeoutMs: number }) {
        const bytes = assets.reduce((sum, { content }) => sum + content.length, 0)
        onTheWay += bytes
        sent.push({ timeoutMs, bytes, onTheWay })
        await new Promise(setImmediate)
        onTheWay -= bytes
      },
      deploy: async () => ({ deployment: { id: 'dep_1', url: 'http://a.plugins.localhost', active: false } }),
    },
  } as unknown as Client // what applying a plan without settings asks
  const files = sizes.map((size, n) => ({ path: `${n}`, sha256: `${n}`, size, contentType: 'video/mp4' }))
  const manifest: Content['manifest'] = { name: 'Shop', version: '1.0.0', tags: [], mode: 'direct-mode', pages: [] }
  const settings = { schema: null, uiSchema: null, presets: {}, templates: {} }
  const content = { pluginId: 'shop', version: '1.0.0', manifestVersion: '1.0.0', manifest, files, settings }
  const remote: Remote = {
    active: null,
    sameVersion: null,
    missing: files.map(({ sha256 }) => sha256),
    settingsOf: null,
    settings: null,
    limits: { fileBytes: 25 * MIB, files: 2_000, deploymentBytes: 100 * MIB },
  }
  const target = { apiUrl: 'http://localhost:4400', environment: 'local', accountId: 'acc_1', storeId: 'store_1' }
  await applyPlan(makePlan(content, remote, target), {
    client,
    storeId: 'store_1',
    signal: new AbortController().signal,
    content,
    bytes: new Map(files.map(({ sha256, size }) => [sha256, new Uint8Array(size)])),
    remote,
    consent: { force: false, overwrite: false, strategy: 'merge' },
    activate: false,
    onStored: () => {},
  })
  return sent
}

test('what is sent has the time that a slow line needs for everything on its way', async () => {
  const sent = await uploadsOf(Array.from({ length: 12 }, () => MIB))
  expect(sent).toHaveLength(12)
  for (const { timeoutMs, onTheWay } of sent) expect(onTheWay / timeoutMs).toBeLessThan(50) // bytes a millisecond
})

test('a large file has the line for itself, and as long as the platform waits for a body', async () => {
  const sent = await uploadsOf([12 * MIB, 1_000, 13 * MIB])
  const large = sent.filter(({ bytes }) => bytes > 12 * MIB)
  expect(large).toHaveLength(2)
  for (const { timeoutMs, bytes, onTheWay } of large) {
    expect(onTheWay).toBe(bytes)
    expect(timeoutMs).toBe(300_000)
  }
})
