import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalFile } from '@tillwright/platform'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { freePort } from '../../../../.ci/free-port.ts'
import { INSTALLED_MAX_BYTES, installedBytes, staleSizes } from '../../../../.ci/sizes.ts'
import { enterShop } from '../buyer.ts'
import { arrive } from './newcomer.ts'
import { expectReference, preparePlace, readmeSnippets, type Place } from './place.ts'

let place: Place
beforeAll(async () => {
  place = await preparePlace()
}, 300_000)
afterAll(() => place?.stop())

test('npx tillwright start --demo needs nothing but Node and 60 MB, and its shop is paid in', async ({
  onTestFinished,
}) => {
  const home = join(place.folder, 'npx')
  const somebody = await arrive(home, place.node)
  const shopUrl = `http://localhost:${await freePort()}`
  const [serve, line = ''] = readmeSnippets()
  expect(serve).toMatch(/^npm run packages\b/) // which serves them all along
  const words = line.replace('http://127.0.0.1:4873/', place.registry.url).replace('npx', 'npx --yes').split(' ')
  const shop = somebody.leave(home, [...words, '--shop', shopUrl])
  onTestFinished(() => shop.stop())
  await vi.waitFor(() => expect(shop.printed()).toContain('Tillwright is running.'), { timeout: 120_000 })
  const bytes = await installedBytes(join(home, 'npm'))
  expect(bytes).toBeLessThan(INSTALLED_MAX_BYTES)
  expect(staleSizes(new Map([['`npx tillwright start`', bytes]]))).toEqual([])
  const local: LocalFile = JSON.parse(await readFile(join(home, '.tillwright/local.json'), 'utf8'))
  await expectReference(local.apiUrl)
  const buyer = await enterShop(await sharedChromium(), shopUrl)
  await buyer.fillCard('4242424242424242')
  await buyer.pay()
  await buyer.page.getByRole('status').getByText('Paid', { exact: true }).waitFor()
  await buyer.page.context().close()
})
