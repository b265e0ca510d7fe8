import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPlugin } from '@tillwright/plugin-build'
import { devHost, type DevEvent } from '@tillwright/plugin-dev'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { startAt, startLocal } from '../testing/start-local.ts'
import { findDevPlatform } from './find-dev-platform.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Runs `tillwright dev` in its own process, on a new plugin. */
async function runDev(args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'cli-dev-'))
  await runCommand(['init', folder, '--yes'], {})
  const { TILLWRIGHT_HOME: _, ...env } = process.env
  const child = spawn(process.execPath, [main, 'dev', folder, '--json', '--port', '0', ...args], {
    env: { ...env, TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const events = () => out.split('\n').flatMap((line): DevEvent[] => (line === '' ? [] : [JSON.parse(line)]))
  const ready = () =>
    vi.waitFor(
      () => {
        const event = events().find(({ type }) => type === 'ready')
        if (event?.type !== 'ready') throw new Error(`It did not become ready: ${out}${err}`)
        return event
      },
      { timeout: 60_000 },
    )
  return { child, folder, ended, ready, printed: () => ({ out, err }) }
}

test('dev shows a plugin on its own platform, prints each event as a line, and exits cleanly', async () => {
  const dev = await runDev([])
  const { url } = await dev.ready()
  expect(await (await fetch(url)).text()).toContain('tillwright-data')
  await access(join(dev.folder, '.tillwright/local.json'))
  dev.child.kill('SIGINT')
  expect(await dev.ended).toBe(0)
  await expect(access(join(dev.folder, '.tillwright/local.json'))).rejects.toThrow('ENOENT')
  expect(dev.printed()).not.toMatchObject({ out: expect.stringContaining('_sk_') })
})

test('a key for the card form is made once, and is good for the next start on another port', async () => {
  const local = await startLocal()
  onTestFinished(local.stop)
  vi.stubEnv('TILLWRIGHT_HOME', local.home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = await mkdtemp(join(tmpdir(), 'cli-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await runCommand(['init', folder, '--yes'], {})
  const { plugin } = await readPlugin(folder)
  if (plugin === null) throw new Error('The plugin has errors.')
  const keysAfterStart = async () => {
    const source = findDevPlatform(folder, {})
    const host = await devHost(plugin, { findPlatform: source.find, environment: {}, tell: () => {} })
    await host.stop()
    await source.stop()
    const { out } = await runCommand(['keys', 'list', '--json'], { TILLWRIGHT_HOME: local.home })
    return JSON.parse(out).length
  }
  const first = await keysAfterStart()
  expect(await keysAfterStart()).toBe(first)
})

test('a platform that has stopped is waited for, and no other one is started in its place', async () => {
  const local = await startLocal()
  vi.stubEnv('TILLWRIGHT_HOME', local.home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const source = findDevPlatform(tmpdir(), {})
  onTestFinished(source.stop)
  expect(await source.find()).toMatchObject({ apiUrl: local.file.apiUrl })
  await local.stop()
  await expect(source.find()).rejects.toThrow(`${local.file.apiUrl} has stopped`)
  await mkdir(local.home) // which stopping has deleted
  const again = await startAt(local.home, null)
  onTestFinished(again.stop)
  expect(await source.find()).toMatchObject({ apiUrl: again.file.apiUrl })
})

test('a platform that takes seconds to answer is used, and no other one is started beside it', async () => {
  const local = await startLocal()
  onTestFinished(local.stop)
  const busy = createServer((_, response) => void setTimeout(() => response.end(), 2_500)).listen(0, '127.0.0.1')
  onTestFinished(() => void busy.close())
  await once(busy, 'listening')
  const apiUrl = `http://127.0.0.1:${Object(busy.address()).port}`
  const home = await mkdtemp(join(tmpdir(), 'cli-busy-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await writeFile(join(home, 'local.json'), JSON.stringify({ ...local.file, apiUrl }), { mode: 0o600 })
  vi.stubEnv('TILLWRIGHT_HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const source = findDevPlatform(tmpdir(), {})
  onTestFinished(source.stop)
  expect(await source.find()).toMatchObject({ apiUrl })
})

test('a product in --variant that the store does not have is an error that names it', async () => {
  const dev = await runDev(['--variant', 'variant_gone'])
  await vi.waitFor(() => expect(JSON.stringify(dev.printed())).toContain('variant_gone'), { timeout: 60_000 })
})

test('with --host, pages and the card form’s origin are reachable over HTTPS', async () => {
  const dev = await runDev(['--host'])
  const { url } = await dev.ready()
  expect(url).toMatch(/^https:/)
  const html = await overTls(`${url}/`)
  const data = JSON.parse(/id="tillwright-data">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')
  expect(data.vaultUrl).toMatch(/^https:\/\/localhost:/)
  expect(data.vaultUrl).not.toBe(url)
  const frame = `${data.vaultUrl}/v1/card?key=${data.publishableKey}&origin=${encodeURIComponent(url)}&id=a`
  const form = await overTls(frame)
  expect(form).toContain('<!doctype html>')
  expect(form).not.toContain('Nothing to show')
})

test('an address without its environment is refused, as by other commands', async () => {
  const { code, err } = await runCommand(['dev', '--url', 'https://api.shop.example'], {})
  expect([code, err]).toEqual([2, expect.stringContaining("--url: also pass the platform's environment")])
})

test('a plugin in development is never run in production', async () => {
  const { code, err } = await runCommand(['dev', '--target', 'production'], {})
  expect(code).toBe(2)
  expect(err).toContain('never in production')
})

function overTls(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(address, { rejectUnauthorized: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
}

test.skipIf(process.platform === 'win32')(
  'a repository from somebody else has nothing written through links',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cli-dev-links-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await runCommand(['init', join(folder, 'plugin'), '--yes'], {})
    const state = join(folder, 'plugin/.tillwright')
    await mkdir(state)
    await writeFile(join(folder, '.profile'), 'mine')
    await symlink('../../.profile', join(state, 'platform.log'))
    for (const command of [
      ['dev', '--port', '0'],
      ['publish', '--start'],
    ]) {
      const { code, err } = await runCommand([...command, join(folder, 'plugin')], { TILLWRIGHT_HOME: '' })
      expect([command[0], code]).toEqual([command[0], 5])
      expect(err).toContain(`${join(state, 'platform.log')} is a link`)
    }
    expect(await readdir(state)).not.toContain('local.json')
    expect(await readFile(join(folder, '.profile'), 'utf8')).toBe('mine')
  },
)

test('in a folder without a manifest dev starts nothing, and says which folder that is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-dev-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { code, err } = await runCommand(['dev', folder], {})
  expect(code).toBe(3)
  expect(err).toContain(`there is none in ${folder}`)
  expect(await readdir(folder)).toEqual([])
})
