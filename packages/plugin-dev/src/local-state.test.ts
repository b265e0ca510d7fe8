import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readKept, stateFolder, writeKept } from './local-state.ts'
import { keepBaselines } from './runs/scenario-tests.ts'

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-state-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const shop = { storeId: 'store_1', productId: 'product_1', funnelId: 'funnel_1', publishableKeys: {} }

test('a folder from somebody else has nothing written through its links', async () => {
  const [plugin, elsewhere] = [await newFolder(), await newFolder()]
  const mine = join(elsewhere, '.gitignore')
  await writeFile(mine, 'mine')
  await symlink(elsewhere, join(plugin, '.tillwright'))
  await expect(stateFolder(plugin)).rejects.toThrow('is a link, so that what is kept there would be written elsewhere')
  await rm(join(plugin, '.tillwright'))
  await mkdir(join(plugin, '.tillwright'))
  for (const name of ['.gitignore', 'dev.json']) await symlink(mine, join(plugin, '.tillwright', name))
  await writeKept(plugin, 'acc_1', shop)
  expect(await readFile(mine, 'utf8')).toBe('mine')
  expect(await readKept(plugin, 'acc_1')).toEqual(shop)
  expect(await readFile(join(plugin, '.tillwright/.gitignore'), 'utf8')).toBe('*\n')
  await symlink(elsewhere, join(plugin, '.tillwright/vite'))
  await expect(stateFolder(plugin, 'vite')).rejects.toThrow(`${join(plugin, '.tillwright/vite')} is a link`)
})

test('a screenshot that is kept replaces a link and leaves alone where it leads', async () => {
  const [plugin, elsewhere] = [await newFolder(), await newFolder()]
  const mine = join(elsewhere, 'notes')
  await writeFile(mine, 'mine')
  await mkdir(join(plugin, 'screenshots'))
  await symlink(mine, join(plugin, 'screenshots/pay.png'))
  await writeFile(join(plugin, 'taken.png'), 'picture')
  const screenshot = { screenshot: 'taken.png', difference: null, baseline: null }
  const taken = { name: 'Pay', id: 'pay', ...screenshot, loadedBytes: 0, problems: [], tookMs: 1 }
  await keepBaselines(plugin, [taken])
  expect(await readFile(mine, 'utf8')).toBe('mine')
  expect(await readFile(join(plugin, 'screenshots/pay.png'), 'utf8')).toBe('picture')
  await rm(join(plugin, 'screenshots'), { recursive: true })
  await symlink(elsewhere, join(plugin, 'screenshots'))
  await expect(keepBaselines(plugin, [taken])).rejects.toThrow(`${join(plugin, 'screenshots')} is a link`)
  expect(await readdir(elsewhere)).toEqual(['notes'])
})
