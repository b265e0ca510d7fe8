import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { simplePlugin } from '../testing/simple-plugin.ts'
import { startLocal, type RunningLocal } from '../testing/start-local.ts'

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

const sound = "document.body.innerHTML = '<main><h1>Welcome</h1></main>'\n"

test('a deployed plugin is tested in its scenarios, and screenshots are saved for later comparison', async () => {
  const folder = await simplePlugin(sound, [{ name: 'Plain' }, { name: 'Phone', viewport: 'phone' }])
  const first = await runCommand(['test', folder, '--built', '--update', '--json'], settings)
  expect(JSON.parse(first.out)).toMatchObject({
    updated: true,
    scenarios: [
      { id: 'plain', problems: [] },
      { id: 'phone', problems: [] },
    ],
  })
  expect(first.code).toBe(0)
  await access(join(folder, 'screenshots/phone.png'))
  const developed = await runCommand(['test', folder, '--scenario', 'Phone'], settings)
  expect([developed.code, developed.out]).toEqual([0, '1 scenario, no problems; 1 compared with a screenshot.\n'])
})

test('problems are reported by scenario, with exit code 3', async () => {
  const folder = await simplePlugin(`${sound}console.error('broken')\n`, [{ name: 'Plain' }])
  const { code, out, err } = await runCommand(['test', folder], settings)
  expect(code).toBe(3)
  expect(err).toMatch(/✗ Plain .*\n {4}console broken/)
  expect(out).toContain('problems in 1')
})

test('an unknown scenario, and scenarios with errors, are reported before anything is started', async () => {
  const folder = await simplePlugin(sound, [{ name: 'Plain' }])
  const unknown = await runCommand(['test', folder, '--scenario', 'None'], {})
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('choose one of: "Plain"')])
  await writeFile(join(folder, 'scenarios.json'), '{ "scenarios": [] }')
  const broken = await runCommand(['test', folder], {})
  expect([broken.code, broken.err]).toEqual([3, expect.stringContaining('scenarios.json:1:')])
})
