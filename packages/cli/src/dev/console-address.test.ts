import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPlugin } from '@tillwright/plugin-build'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { consoleAddresses } from './console-address.ts'

test('the console opens at the plugin: first by the link that makes a member, and at its start while the manifest has errors', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-console-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await runCommand(['init', folder, '--yes'], {})
  const { plugin } = await readPlugin(folder)
  const apiUrl = 'http://localhost:4400'
  const next = consoleAddresses(folder, {
    find: async () => ({
      environment: 'local',
      apiUrl,
      vaultUrl: 'http://localhost:4401',
      apiKey: '',
      storeId: null,
      makePublishableKey: async () => null,
    }),
    memberLink: async () => `${apiUrl}/console/invitation`,
  })
  expect(await next()).toBe(`${apiUrl}/console/invitation`)
  expect(await next()).toBe(`${apiUrl}/console/plugins/${plugin?.file.pluginId}`)
  await writeFile(join(folder, 'plugin.manifest.json'), '{')
  expect(await next()).toBe(`${apiUrl}/console`)
})
