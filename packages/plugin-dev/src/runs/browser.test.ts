import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findBrowser } from './browser.ts'

async function folderWith(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), '')
  await chmod(join(folder, name), 0o755)
  return folder
}

test('a browser is the one that is named, else Playwright’s own, else the system’s', async () => {
  const folder = await folderWith('chromium')
  const path = join(folder, 'chromium')
  const env = { PATH: `/nowhere:${folder}` }
  const find = (more: object, ownPath = '/none') =>
    findBrowser({ env: { ...env, ...more }, platform: 'linux', ownPath })
  expect(find({ CHROME_PATH: import.meta.filename }, path)).toBe(import.meta.filename)
  expect(find({}, import.meta.filename)).toBe(import.meta.filename)
  expect(find({})).toBe(path)
})

test('of the system’s, the headless shell comes first, because it needs the least of a processor', async () => {
  const [chrome, shell] = [await folderWith('google-chrome'), await folderWith('chromium-headless-shell')]
  const found = findBrowser({ env: { PATH: `${chrome}:${shell}` }, platform: 'linux', ownPath: '/none' })
  expect(found).toBe(join(shell, 'chromium-headless-shell'))
})

test('one that is named and not there, and none at all, are told with what to do', () => {
  const find = (env: Record<string, string>) => findBrowser({ env, platform: 'linux', ownPath: '/none' })
  expect(() => find({ CHROME_PATH: '/gone' })).toThrow('CHROME_PATH names /gone, which does not exist: correct it')
  expect(() => find({ PATH: '/nowhere' })).toThrow('install one, or name it in CHROME_PATH')
})
