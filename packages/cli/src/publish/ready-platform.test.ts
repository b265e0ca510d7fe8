import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { simplePlugin } from '../testing/simple-plugin.ts'
import { tillwright } from '../testing/tillwright.ts'
import { askWhere } from './ready-platform.ts'

async function emptyHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

test('without a platform, the error names the ways to one', async () => {
  const folder = await simplePlugin('document.body.append(1)\n', [{ name: 'Plain' }])
  const { code, err } = await runCommand(['publish', folder], { TILLWRIGHT_HOME: await emptyHome() })
  expect(code).toBe(2)
  for (const way of ['"tillwright start"', '--start', '"tillwright login --target development', '--target (local,']) {
    expect(err).toContain(way)
  }
})

test('with --start, a platform is started, published to, and runs until Ctrl-C', async () => {
  const folder = await simplePlugin('document.body.append(1)\n', [{ name: 'Plain' }])
  const run = await tillwright(['publish', folder, '--start'])
  await vi.waitFor(() => expect(run.printed().err).toContain('runs until Ctrl-C'), { timeout: 60_000 })
  const { out, err } = run.printed()
  const { apiUrl } = await run.local()
  expect(err).toContain(`Started a local platform at ${apiUrl}`)
  expect(out).toMatch(/^http:\/\/[\w-]+\.plugins\.localhost:\d+\/$/m)
  expect((await fetch(`${apiUrl}/readyz`)).status).toBe(200)
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(0)
  await expect(fetch(apiUrl)).rejects.toThrow()
})

test('the platform that keeps its data in the plugin’s folder is found from elsewhere', async () => {
  const folder = await simplePlugin('document.body.append(1)\n', [{ name: 'Plain' }])
  const anywhere = { TILLWRIGHT_HOME: '' }
  const run = await tillwright(['publish', folder, '--start'], anywhere)
  await vi.waitFor(() => expect(run.printed().err).toContain('runs until Ctrl-C'), { timeout: 60_000 })
  const { apiUrl } = JSON.parse(await readFile(join(folder, '.tillwright/local.json'), 'utf8'))
  for (const command of ['plan', 'diff', 'preview', 'publish']) {
    const { code, err } = await runCommand([command, folder], anywhere)
    expect([command, code, err]).toEqual([command, 0, expect.stringContaining(apiUrl)])
  }
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(0)
})

test('on a terminal, the user chooses: a new platform, one with a login, or to log in', async () => {
  const DOWN = '\u001B[B'
  const answer = async (keys: readonly string[]) => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
    let shown = ''
    output.on('data', (chunk: Buffer) => {
      if (shown === '') for (const key of keys) setImmediate(() => input.write(key))
      shown += stripVTControlCharacters(chunk.toString())
    })
    const targets = { development: 'https://dev.shop.example' }
    const choice = await askWhere({ targets }, { input, output })
    return { choice, shown }
  }
  const first = await answer(['\r'])
  expect(first.choice).toBe('start')
  for (const text of ['No platform runs here', 'Start a local platform', 'development', 'Log in to a platform']) {
    expect(first.shown).toContain(text)
  }
  expect((await answer([DOWN, '\r'])).choice).toBe('development')
  expect((await answer([DOWN, DOWN, '\r'])).choice).toBe('login')
})
