import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createClient } from '@tillwright/client'
import type { BuyerSession } from '@tillwright/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { startLocal, type RunningLocal } from '../testing/start-local.ts'
import { simplePlugin } from '../testing/simple-plugin.ts'

let local: RunningLocal
let settings: Record<string, string>
beforeAll(async () => {
  local = await startLocal()
  settings = {
    TILLWRIGHT_HOME: local.home,
    PATH: process.env['PATH'] ?? '',
    CHROME_PATH: process.env['CHROME_PATH'] ?? '',
  }
})
afterAll(() => local.stop())

/** Uses the machine's address, because its resolver may not know names below localhost as browsers do. */
function pictureAt(path: string, host: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(local.file.apiUrl)
    request(
      { host: 'localhost', port, path, headers: { host } },
      (answer) => void buffer(answer).then(resolve, reject),
    ).end()
  })
}

test('screenshots of each scenario are taken on a phone and a desktop, and stored with the deployment', async () => {
  const page = `document.body.innerHTML = '<main><h1>Welcome</h1></main>'
`
  const folder = await simplePlugin(page, [{ name: 'Plain' }])
  expect((await runCommand(['publish', folder, '--yes'], settings)).code).toBe(0)
  const { code, out } = await runCommand(['preview', folder, '--screenshots', '--json'], settings)
  expect(code).toBe(0)
  const { deploymentId, previews } = JSON.parse(out)
  expect(previews).toMatchObject([{ id: 'plain', status: 'ready', error: null }])
  const client = createClient({ apiKey: local.file.adminApiKey, baseUrl: local.file.apiUrl })
  const { demoPreviews, deployment } = await client.pluginManagement.view({ deploymentId })
  const [preview] = demoPreviews?.pages[0]?.previews ?? []
  expect(preview).toMatchObject({
    metadata: { status: 'ready', capturedAt: expect.stringMatching(/^20/), error: null },
    screenshotUrls: { mobile: previews[0].mobile, desktop: previews[0].desktop },
  })
  const { host } = new URL(deployment.url)
  const picture = new URL(previews[0].mobile)
  const bytes = await pictureAt(picture.pathname, host)
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)]).toEqual(['PNG', 390])
})

test("a broken page fails its preview with the page's error", async () => {
  const folder = await simplePlugin("throw new Error('It is broken')\n", [{ name: 'Plain' }])
  await runCommand(['publish', folder, '--yes'], settings)
  const { code, err } = await runCommand(['preview', folder, '--screenshots'], settings)
  expect([code, err]).toEqual([3, expect.stringContaining('✗ plain On a phone: Error: It is broken')])
})

test('a preview of the active deployment has a single-use code in its fragment', async () => {
  const folder = await simplePlugin('', [{ name: 'Plain' }])
  await runCommand(['publish', folder, '--yes'], settings)
  const { code, out } = await runCommand(['preview', folder], settings)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/\w+\.plugins\.localhost:\d+\/#tillwright-code=fscode_preview_\w+\n$/),
  ])
  expect((await sessionAt(out)).preview).toMatchObject({ builderOptions: {}, testCardPreset: null })
})

test('a preview of a scenario has its preset, language, country, currency and card', async () => {
  const german = { locale: 'de-DE', country: 'DE', currency: 'EUR' }
  const folder = await simplePlugin('', [
    { name: 'Declined', ...german, preset: 'loud', card: 'declined', viewport: 'phone' },
    { name: 'Lost', card: 'lost_card' },
  ])
  const file = join(folder, 'plugin.manifest.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  const schema = { type: 'object', properties: { headline: { type: 'string' } } }
  const presets = { plain: { headline: 'Welcome' }, loud: { headline: 'LOUD' } }
  await writeFile(file, JSON.stringify({ ...manifest, configuration: { schema, presets, defaultPreset: 'plain' } }))
  await runCommand(['publish', folder, '--yes'], settings)
  const declined = await runCommand(['preview', folder, '--scenario', 'Declined'], settings)
  expect(await sessionAt(declined.out)).toMatchObject({
    order: { currency: 'EUR' },
    preview: {
      locale: 'de-DE',
      previewShippingCountry: 'DE',
      currency: 'EUR',
      testCardPreset: 'network1_declined',
      builderOptions: { viewport: 'phone', config: { headline: 'LOUD' } },
    },
  })
  const lost = await runCommand(['preview', folder, '--scenario', 'Lost'], settings)
  expect(lost.err).toContain('Pay with 4000 0000 0000 9987:')
  expect((await sessionAt(lost.out)).preview?.builderOptions).toEqual({ config: { headline: 'Welcome' } })
})

/** The session that the platform returns to the page of a preview, by its printed address. */
async function sessionAt(printed: string): Promise<BuyerSession> {
  const [, code] = /#tillwright-code=(\w+)/.exec(printed) ?? []
  const { apiUrl, publishableKey } = local.file
  const redeemed = await fetch(`${apiUrl}/api/session/v1/sessions/redeem`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${publishableKey}`,
      'Content-Type': 'application/json',
      Origin: 'http://localhost:9',
    },
    body: JSON.stringify({ code }),
  })
  return (await redeemed.json()).session
}
