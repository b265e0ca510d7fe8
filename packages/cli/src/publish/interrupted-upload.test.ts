import { spawn } from 'node:child_process'
import { EventEmitter, on, once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createClient } from '@tillwright/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { soaks } from '../../../../.ci/soaks.ts'
import { runCommand } from '../testing/run-command.ts'
import { startLocal } from '../testing/start-local.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
/** Of these rounds each is killed at a request of its own: early in the upload, and when every lane has sent. */
const ROUNDS = soaks ? Array.from({ length: 20 }, (_, round) => round) : [0, 2]
const FILES = 200
/** The number of requests needed for the files, of about 1 MiB each. */
const BATCHES = 8

/**
 * A proxy in front of a platform that reports each upload before passing it on.
 *
 * @param held Requests whose address begins with this are reported as `held`, and passed on by who is told of them.
 */
async function gateway(apiUrl: string, held?: string): Promise<{ url: string; uploads: EventEmitter }> {
  const uploads = new EventEmitter()
  const { hostname, port } = new URL(apiUrl)
  const server = createServer((from, to) => {
    const passOn = (): void => {
      const { url: path, method, headers } = from
      const onwards = request({ hostname, port, path, method, headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(to)
      })
      onwards.on('error', () => to.destroy())
      from.on('error', () => onwards.destroy())
      from.pipe(onwards)
    }
    if (held !== undefined && from.url?.startsWith(held) === true) return void uploads.emit('held', passOn)
    if (from.method === 'POST' && from.url === '/api/plugins/v1/assets') uploads.emit('upload')
    passOn()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, uploads } // it listens on TCP
}

/** A plugin with many distinct files, different in each round. */
async function largePlugin(round: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-plugin-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'src/pages'), { recursive: true })
  await mkdir(join(folder, 'public'))
  const manifest = { pluginId: `large-${round}`, name: 'Large', version: '1.0.0', pages: [{ id: 'home', path: '/' }] }
  await writeFile(join(folder, 'plugin.manifest.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'src/pages/home.js'), 'document.title = 1\n')
  for (let n = 0; n < FILES; n++) await writeFile(join(folder, `public/${n}.txt`), `${round} ${n} `.repeat(10_000))
  return folder
}

test('an interrupted upload continues with the missing files, wherever it stopped, and completes', async () => {
  const local = await startLocal()
  onTestFinished(local.stop)
  const client = createClient({ apiKey: local.file.apiKey, baseUrl: local.file.apiUrl })
  const { url, uploads } = await gateway(local.file.apiUrl)
  const home = join(local.home, 'before')
  await mkdir(home)
  await writeFile(join(home, 'local.json'), JSON.stringify({ ...local.file, apiUrl: url }), { mode: 0o600 })
  for (const round of ROUNDS) {
    const folder = await largePlugin(round)
    const heard = on(uploads, 'upload') // which loses none, however many come at once
    const child = spawn(process.execPath, [main, 'deploy', folder], {
      env: { ...process.env, TILLWRIGHT_HOME: home },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    for (let seen = 0; seen <= (round * 3) % BATCHES; seen++) await heard.next()
    child.kill('SIGKILL')
    expect((await ended)[1]).toBe('SIGKILL')

    const { out, code } = await runCommand(['deploy', folder, '--json'], { TILLWRIGHT_HOME: local.home })
    expect(code).toBe(0)
    const { published } = JSON.parse(out)
    const { files } = await client.pluginManagement.view({ deploymentId: published.deploymentId })
    const texts = files.filter(({ path }) => path.endsWith('.txt'))
    expect(new Set(texts.map(({ sha256 }) => sha256)).size).toBe(FILES)
    // All lanes had sent a batch before the fifth was reported.
    if ((round * 3) % BATCHES > 4) expect(published.uploaded.files).toBeLessThan(FILES)
    const again = await runCommand(['deploy', folder, '--json'], { TILLWRIGHT_HOME: local.home })
    expect(JSON.parse(again.out)).toMatchObject({ plan: { isNothing: true }, published: { uploaded: { files: 0 } } })
  }
})

test.for([
  ['while files are sent', '/api/plugins/v1/assets', 'Publishing again goes on from here'],
  ['when the version is active', '/api/plugins/v1/domains', 'large-0 1.0.0 is active already (dep_'],
] as const)('Ctrl-C %s says what stands, and nothing that is not so', async ([, held, stands]) => {
  const local = await startLocal()
  onTestFinished(local.stop)
  const { url, uploads } = await gateway(local.file.apiUrl, held)
  const home = join(local.home, 'before')
  await mkdir(home)
  await writeFile(join(home, 'local.json'), JSON.stringify({ ...local.file, apiUrl: url }), { mode: 0o600 })
  const child = spawn(process.execPath, [main, 'publish', await largePlugin(0)], {
    env: { ...process.env, TILLWRIGHT_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  await once(uploads, 'held')
  child.kill('SIGINT')
  expect(await said).toContain(`Interrupted. ${stands}`)
  expect((await said).includes('Files are uploaded.')).toBe(stands.includes('active'))
})

test('a key that is revoked while files are sent is told with the place that it is from', async () => {
  const local = await startLocal()
  onTestFinished(local.stop)
  const { adminApiKey, apiUrl } = local.file
  const { url, uploads } = await gateway(apiUrl, '/api/plugins/v1/assets')
  const home = join(local.home, 'before')
  await mkdir(home)
  await writeFile(join(home, 'local.json'), JSON.stringify({ ...local.file, apiUrl: url }), { mode: 0o600 })
  const admin = createClient({ apiKey: adminApiKey, baseUrl: apiUrl })
  const { apiKey, key } = await admin.apiKeys.create({ kind: 'secret' })
  const own = createClient({ apiKey: key, baseUrl: apiUrl })
  uploads.on('held', async (passOn: () => void) => {
    await admin.apiKeys.revoke({ keyId: apiKey.id })
    // The platform may know the key for a second.
    await vi.waitUntil(
      () =>
        own.accounts.testKey().then(
          () => false,
          () => true,
        ),
      { timeout: 20_000, interval: 200 },
    )
    passOn()
  })
  const folder = await largePlugin(0)
  const { code, err } = await runCommand(['deploy', folder], { TILLWRIGHT_HOME: home, TILLWRIGHT_API_KEY: key })
  expect(code).toBe(4)
  expect(err).toContain(`This API key, ${apiKey.id}, was revoked at `)
  expect(err).toContain('It is the one in TILLWRIGHT_API_KEY')
})
