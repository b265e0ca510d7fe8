import { hash } from 'node:crypto'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployBody, deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'
import { commit, LostRace } from '../../http/operations/commit.ts'
import { manualClock } from '../../runtime/clock.ts'
import { fileBlobs } from '../../storage/blobs/file-blobs.ts'
import { nameAssets, ownAsset } from './assets.ts'
import { blobSweeper, holdBlobs, type Storer } from './blobs.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const MINUTE_MS = 60_000

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const blobs = () => fileBlobs(join(platform().folder, 'blobs'))
  /** Sweeps as if the time had passed: with a clock of its own, so that the platform's own sweeper stays asleep. */
  const sweepAfter = (timeMs: number, over = blobs()) => {
    const { services, clock } = platform()
    return blobSweeper({ ...services, clock: manualClock(clock.now() + timeMs) }, over)()
  }
  const storer = (): Storer => {
    const { local, services, clock } = platform()
    return { accountId: local.accountId, nowMs: clock.now(), services }
  }
  let texts = 0
  const newBlob = () => {
    const bytes = Buffer.from(`${engine} ${(texts += 1)}`)
    return { bytes, size: bytes.length, sha256: hash('sha256', bytes) }
  }
  const assetsOf = (sha256: string) =>
    platform().services.db.read('SELECT sha256 FROM plugin_assets WHERE sha256 = ?', [sha256])
  const upload = (blob: ReturnType<typeof newBlob>) => {
    const asset = { sha256: blob.sha256, size: blob.size, content: blob.bytes.toString('base64') }
    return platform().request('POST', contract.plugins.uploadAssets.path, { body: { assets: [asset] } })
  }
  const naming = ({ sha256, size }: ReturnType<typeof newBlob>) =>
    deployBody(platform().local.storeId, { inlineAssets: [{ path: 'index.html', sha256, size }] })

  async function stored(blob = newBlob()) {
    const by = storer()
    const held = await holdBlobs([blob.sha256], by)
    await blobs().put(blob.sha256, blob.bytes)
    await commit(ownAsset(blob, held, by), platform().services)
    return blob
  }

  test('what was stored and never named goes after a day of the clock, and what is named stays', async () => {
    const [lost, named] = [newBlob(), newBlob()]
    for (const blob of [lost, named]) expect((await upload(blob)).status).toBe(200)
    await platform().call(contract.plugins.deploy, { body: naming(named) })
    await sweepAfter(DAY_MS - 1)
    expect([await blobs().has(lost.sha256), await assetsOf(lost.sha256)]).toMatchObject([true, [{}]])
    await sweepAfter(DAY_MS + MINUTE_MS)
    expect(await assetsOf(lost.sha256)).toEqual([])
    expect([await blobs().has(named.sha256), await assetsOf(named.sha256)]).toMatchObject([true, [{}]])
    expect(await blobs().has(lost.sha256)).toBe(false)
    const { missing } = await platform().call(contract.plugins.deploy, { body: naming(lost) })
    expect(missing).toEqual([lost.sha256])
  })

  test('a deployment that was removed gives its bytes back after a day, but for those that another one has', async () => {
    const { clock, call } = platform()
    const [own, shared] = [newBlob(), newBlob()]
    const inline = ({ bytes }: ReturnType<typeof newBlob>, path: string) => ({ path, content: bytes.toString() })
    const first = await deployPlugin(platform(), {
      inlineAssets: [inline(own, 'own.txt'), inline(shared, 'index.html')],
    })
    const second = await deployPlugin(platform(), {
      manifest: { pluginId: first.pluginId, version: '2.0.0' },
      inlineAssets: [inline(shared, 'index.html')],
    })
    await sweepAfter(2 * DAY_MS)
    expect(await blobs().has(own.sha256)).toBe(true)
    await call(contract.pluginManagement.remove, { params: { deploymentId: first.id } })
    clock.advance(DAY_MS)
    // The platform sweeps on its own, a minute after its last sweep.
    await expect
      .poll(() => {
        clock.advance(MINUTE_MS)
        return blobs().has(own.sha256)
      })
      .toBe(false)
    expect((await visit(platform(), { host: new URL(second.url).host })).text).toContain(shared.bytes.toString())
  })

  test('a client that stores bytes while they are cleared away is refused or stores them again, and never names what is not there', async () => {
    const { services } = platform()
    const blob = newBlob()
    const by = storer()
    const held = await holdBlobs([blob.sha256], by)
    await blobs().put(blob.sha256, blob.bytes)
    // A clock that is ahead is the one way in which a day goes by in the middle.
    await sweepAfter(DAY_MS + MINUTE_MS)
    await expect(commit(ownAsset(blob, held, by), services)).rejects.toBeInstanceOf(LostRace)
    expect(await assetsOf(blob.sha256)).toEqual([])
    await stored(blob)
    expect(await blobs().get(blob.sha256)).toEqual(blob.bytes)
  })

  test('bytes that are just being deleted cannot be held, and can be a moment later', async () => {
    const blob = await stored()
    const gate = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const slow = {
      ...blobs(),
      remove: async (sha256: string) => {
        if (sha256 === blob.sha256) {
          reached.resolve()
          await gate.promise
        }
        return blobs().remove(sha256)
      },
    }
    const sweeping = sweepAfter(DAY_MS + 1, slow)
    await reached.promise
    const refused = await upload(blob)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    // Another sweeper leaves to the first one what that has begun.
    await sweepAfter(DAY_MS + 1)
    expect(await blobs().has(blob.sha256)).toBe(true)
    gate.resolve()
    await sweeping
    expect((await upload(blob)).status).toBe(200)
    expect(await blobs().has(blob.sha256)).toBe(true)
  })

  test('what a sweeper has left undone when it died is taken over', async () => {
    const blob = await stored()
    const dying = { ...blobs(), remove: () => Promise.reject(new Error('killed')) }
    await expect(sweepAfter(DAY_MS + 1, dying)).rejects.toThrow('killed')
    expect((await upload(blob)).status).toBe(503)
    await sweepAfter(DAY_MS + 11 * MINUTE_MS)
    expect((await upload(blob)).status).toBe(200)
  })

  test('a deployment that names an asset while it is cleared away has it, or learns that it is missing', async () => {
    const { clock, services } = platform()
    const blob = await stored()
    // The deployment has looked it up; then it goes.
    const writes = nameAssets([blob.sha256], storer())
    await sweepAfter(DAY_MS + 1)
    await expect(commit(writes, services)).rejects.toBeInstanceOf(LostRace)
    const kept = await stored()
    const late = { ...storer(), nowMs: clock.now() + DAY_MS + 1 }
    await commit(nameAssets([kept.sha256], late), services)
    await sweepAfter(DAY_MS + 1)
    expect([await blobs().has(kept.sha256), await assetsOf(kept.sha256)]).toMatchObject([true, [{}]])
  })

  it('uploads, deployments and sweeps of the same bytes at once leave nothing named that is not there', async () => {
    const { clock, request } = platform()
    const blob = newBlob()
    for (let round = 0; round < 8; round++) {
      const uploads = Promise.all([upload(blob), upload(blob)])
      clock.advance(DAY_MS + MINUTE_MS)
      const answers = await Promise.all([
        request('POST', contract.plugins.deploy.path, { body: { ...naming(blob), dryRun: round % 2 === 0 } }),
        sweepAfter(0),
        uploads,
        sweepAfter(0),
      ])
      const deployed = contract.plugins.deploy.response.parse(answers[0].body)
      if (deployed.url !== null) {
        const page = await visit(platform(), { host: new URL(deployed.url).host })
        expect([page.status, page.text]).toEqual([200, expect.stringContaining(blob.bytes.toString())])
      }
      const isNamed = (await assetsOf(blob.sha256)).length > 0
      const isThere = await blobs().has(blob.sha256)
      if (isNamed && !isThere) expect(await assetsOf(blob.sha256)).toEqual([])
    }
  })
})
