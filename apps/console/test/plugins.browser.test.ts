import { hash } from 'node:crypto'
import { contract } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { deployPlugin } from '../../../packages/platform/test/plugins/deploy-plugin.ts'
import { visit } from '../../../packages/platform/test/plugins/visit.ts'
import { ruleEngines, sharedPlatform, type TestPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

const { pluginManagement, plugins } = contract

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })
  const shown = async (host: string) => (await visit(platform(), { host })).text

  test('what is live is seen, compared, rolled back and activated, and visitors see the page change back', async () => {
    const { call, local } = platform()
    const host = `live.${engine}.example`
    const { pluginId, id: first } = await version(platform(), '1.0.0')
    await call(plugins.promoteToCustomDomain, { body: { pluginId, storeId: local.storeId, hostname: host } })
    const second = await version(platform(), '2.0.0', { pluginId, pages: ['/', '/offer'] })
    const schema = { type: 'object', properties: { colour: { type: 'string' } } }
    await call(plugins.syncConfig, { body: { deploymentId: second.id, schema } })
    await picture(platform(), second.id)
    const { page, complaints } = await signedIn(platform(), 'developer')
    await page.getByRole('link', { name: 'Plugins', exact: true }).click()
    await page.getByRole('row').filter({ hasText: host }).getByText('2.0.0').waitFor()
    await page.getByRole('link', { name: 'Mug shop' }).click()
    const image = page.getByRole('img', { name: '/ on a desktop' }).first()
    await image.waitFor()
    expect(await image.evaluate((each) => 'naturalWidth' in each && each.naturalWidth)).toBe(1)

    await actions(page, '1.0.0')
    await page.getByRole('link', { name: 'Compare with what is live' }).click()
    await row(page, '/offer').getByText('Gone').waitFor()
    await row(page, 'index.html').getByText('Changed').waitFor()
    await row(page, '/properties/colour/type').getByText('Gone').waitFor()
    await page.goBack()

    // Another member deploys, and the open page shows it.
    const third = await version(platform(), '3.0.0', { pluginId, pages: ['/'] })
    await page.getByRole('link', { name: '3.0.0' }).first().waitFor()
    expect(await shown(host)).toContain('Mugs 3.0.0')
    await page.getByRole('button', { name: 'Roll back' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Visitors see version 2.0.0 instead of 3.0.0').waitFor()
    await dialog.getByText(`Also on ${host}/`).waitFor()
    await dialog.getByText('Pages: 1 new').waitFor()
    expect(await shown(host)).toContain('Mugs 3.0.0')
    await dialog.getByRole('button', { name: 'Roll back to 2.0.0' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await shown(host)).toContain('Mugs 2.0.0')

    await actions(page, '1.0.0')
    await page.getByRole('button', { name: 'Activate 1.0.0' }).click()
    await dialog.getByText('Links to these pages will no longer work: /offer').waitFor()
    await dialog.getByRole('button', { name: 'Activate 1.0.0' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await shown(host)).toContain('Mugs 1.0.0')
    expect((await live(platform(), pluginId))?.activatedBy?.kind).toBe('member')
    expect((await live(platform(), pluginId))?.active?.id).toBe(first)

    await actions(page, '1.0.0')
    await page.getByRole('button', { name: 'Take 1.0.0 offline' }).click()
    await dialog.getByRole('button', { name: 'Take 1.0.0 offline' }).click()
    await page.getByText('Nobody sees the pages of this plugin').waitFor()
    expect((await visit(platform(), { host })).status).toBe(410)
    await actions(page, '1.0.0')
    await page.getByRole('button', { name: 'Bring 1.0.0 online' }).click()
    await dialog.getByRole('button', { name: 'Bring 1.0.0 online' }).click()
    await page.getByText('Nobody sees the pages of this plugin').waitFor({ state: 'detached' })
    expect(await shown(host)).toContain('Mugs 1.0.0')

    await actions(page, '3.0.0')
    await page.getByRole('button', { name: 'Remove 3.0.0' }).click()
    await dialog.getByRole('button', { name: 'Remove 3.0.0' }).click()
    await page.getByText('Removed', { exact: true }).waitFor()
    expect((await visit(platform(), { host: new URL(third.url).host })).status).toBe(410)
    await actions(page, '3.0.0')
    await page.getByRole('button', { name: 'Restore 3.0.0' }).click()
    await dialog.getByRole('button', { name: 'Restore 3.0.0' }).click()
    await page.getByText('Removed', { exact: true }).waitFor({ state: 'detached' })
    expect((await visit(platform(), { host: new URL(third.url).host })).status).toBe(200)
    expect(complaints).toEqual([])
  })

  test('a plugin is put on a domain after its check, gets an alias, and is taken off again', async () => {
    const { pluginId } = await version(platform(), '1.0.0')
    const host = `new.${engine}.example`
    const { page, complaints } = await signedIn(platform(), 'developer')
    await page.goto(`${platform().apiUrl}/console/plugins/${pluginId}`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByLabel('Domain').fill(host)
    expect(await dialog.getByRole('button', { name: 'Add domain' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Check DNS' }).click()
    await dialog.getByText(`_tillwright.${host}`).waitFor()
    await dialog.getByText('The domain can be added.').waitFor()
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('listitem').getByRole('link', { name: host }).waitFor()
    expect(await shown(host)).toContain('Mugs 1.0.0')

    await page.getByRole('button', { name: 'Add alias' }).click()
    await dialog.getByLabel('Name').fill('spring-sale')
    await dialog.getByLabel('Shows').selectOption('Stays with 1.0.0')
    await dialog.getByRole('button', { name: 'Add alias' }).click()
    const alias = page.getByRole('link', { name: 'spring-sale' })
    const address = await alias.getAttribute('href')
    expect(await shown(new URL(address ?? '').host)).toContain('Mugs 1.0.0')

    await page.getByRole('button', { name: `Remove ${host}/` }).click()
    await dialog.getByRole('button', { name: `Remove ${host}/` }).click()
    await page.getByText('On a domain of your own').waitFor()
    expect((await visit(platform(), { host })).status).toBe(421)
    expect(complaints).toEqual([])
  })

  test('where the operator has taken the pages of an account down, its members are told so', async () => {
    const { services, local } = platform()
    const { pluginId } = await version(platform(), '1.0.0')
    const { page, complaints } = await signedIn(platform(), 'operations')
    const setPages = (off: string) =>
      services.db.write([{ sql: `UPDATE accounts SET pages_off_at = ${off} WHERE id = ?`, params: [local.accountId] }])
    await setPages('1')
    try {
      for (const path of ['/plugins', `/plugins/${pluginId}`]) {
        await page.goto(`${platform().apiUrl}/console${path}`)
        await page.getByText('the operator of the platform has taken them down').waitFor()
      }
      await page.goto(`${platform().apiUrl}/console/account`)
      await page.getByText('Pages taken down').waitFor()
    } finally {
      await setPages('NULL')
    }
    expect(complaints).toEqual([])
  })

  test('a member who may only read, and of one store, sees all of it, is offered none of it, and the API refuses it too', async () => {
    const { storeId } = platform().local
    const { pluginId, id } = await version(platform(), '1.0.0')
    await version(platform(), '2.0.0', { pluginId })
    const { page, complaints } = await signedIn(platform(), 'read_only', { storeIds: [storeId] })
    await page.getByRole('link', { name: 'Plugins', exact: true }).click()
    await page.locator(`table a[href*="/${pluginId}?"]`).click()
    await actions(page, '1.0.0')
    await page.getByRole('link', { name: 'Compare with what is live' }).waitFor()
    const changes = /Roll back|Activate|Take|Remove|Restore|Add/
    expect(await page.getByRole('main').getByRole('button', { name: changes }).count()).toBe(0)
    const bodies = {
      [pluginManagement.rollback.path]: { storeId, pluginId },
      [pluginManagement.activate.path.replace('{deploymentId}', id)]: {},
      [pluginManagement.remove.path.replace('{deploymentId}', id)]: {},
      [pluginManagement.takeOffline.path.replace('{deploymentId}', id)]: {},
      [pluginManagement.setAlias.path]: { storeId, name: 'mine', pluginId },
      [plugins.promoteToCustomDomain.path]: { storeId, pluginId, hostname: 'mine.example' },
    }
    for (const [path, body] of Object.entries(bodies)) expect(await statusOf(page, path, body), path).toBe(403)
    expect((await live(platform(), pluginId))?.active?.version).toBe('2.0.0')
    expect(complaints.filter((each) => !each.includes('403'))).toEqual([])
  })
})

/** Deploys a version of a plugin; a new one unless it is named. */
function version(
  platform: TestPlatform,
  name: string,
  { pluginId, pages = ['/'] }: { pluginId?: string; pages?: readonly string[] } = {},
) {
  const previews = [{ id: 'plain', metadata: { status: 'pending' } }]
  return deployPlugin(platform, {
    manifest: {
      ...(pluginId !== undefined && { pluginId }),
      name: 'Mug shop',
      version: name,
      pages: pages.map((path) => ({ id: path, path })),
    },
    inlineAssets: [{ path: 'index.html', content: `<!doctype html><title>Mugs ${name}</title>` }],
    demoPreviews: { pages: [{ path: '/', previews }] },
    sourceData: { commit: '4f2a9c1d', branch: 'main' },
  })
}

/** Stores a screenshot of one pixel. */
async function picture({ call }: TestPlatform, deploymentId: string): Promise<void> {
  const content = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const bytes = Buffer.from(content, 'base64')
  const sha256 = hash('sha256', bytes)
  await call(plugins.uploadAssets, { body: { assets: [{ sha256, size: bytes.length, content }] } })
  await call(pluginManagement.updatePreview, {
    params: { deploymentId },
    body: { previewId: 'plain', status: 'ready', screenshots: { desktop: sha256 } },
  })
}

async function live({ call, local }: TestPlatform, pluginId: string) {
  return (await call(pluginManagement.plugins, { query: { storeId: local.storeId, pluginId } })).data[0]
}

/** Opens the menu of a deployment. */
async function actions(page: Page, name: string): Promise<void> {
  await page
    .locator('summary')
    .filter({ hasText: `Actions ${name}` })
    .click()
}

/** A line of a comparison. */
function row(page: Page, place: string) {
  return page.locator('.diff li').filter({ hasText: place })
}

/** Status of a request that the page sends itself. */
function statusOf(page: Page, path: string, body: object): Promise<number> {
  const send = async ([address, text]: readonly [string, string]) => {
    const headers = {
      'Tillwright-Console': '1',
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    }
    return (await fetch(address, { method: 'POST', headers, body: text })).status
  }
  return page.evaluate(send, [path, JSON.stringify(body)] as const)
}
