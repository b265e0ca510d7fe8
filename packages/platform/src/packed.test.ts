import { execFile } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../../..')

/** Paths of the two packages' `dist`, each built into an empty folder. */
let platform: string
let simulator: string
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packed-'))
  const built = ['platform', 'bank-simulator'].map((name) => build(name, join(folder, name)))
  ;[platform = '', simulator = ''] = await Promise.all(built)
  return () => rm(folder, { recursive: true })
}, 180_000)

async function build(name: string, outDir: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const project = ['-p', join(root, 'packages', name), '--outDir', outDir]
  // The packages that it refers to need not be built: types are checked elsewhere.
  const fresh = ['--noCheck', '--noEmitOnError', 'false', '--tsBuildInfoFile', join(outDir, '.tsbuildinfo')]
  await promisify(execFile)(process.execPath, [tsc, ...project, ...fresh]).catch(() => {})
  return outDir
}

/** The lines of all programs in a folder that are long enough to tell where they come from. */
async function linesIn(place: string): Promise<Map<string, string>> {
  const lines = new Map<string, string>()
  for await (const path of glob('**/*.js', { cwd: place })) {
    for (const line of (await readFile(join(place, path), 'utf8')).split('\n')) {
      const text = line.trim()
      if (text.length >= TELLING_CHARS && !/^(?:import|export) .* from /.test(text)) lines.set(text, path)
    }
  }
  return lines
}
const TELLING_CHARS = 55

test('the packed platform holds no line of the simulator', async () => {
  const [ours, simulators] = await Promise.all([linesIn(platform), linesIn(simulator)])
  expect([ours.size > 3_000, simulators.size > 300]).toEqual([true, true])
  expect([...simulators.keys()].filter((line) => ours.has(line)).map((line) => [ours.get(line), line])).toEqual([])
})

test('the packed platform asks for the simulator where it is not production, and by nothing but import()', async () => {
  const asking: string[] = []
  for await (const path of glob('**/*.{js,d.ts}', { cwd: platform })) {
    const text = await readFile(join(platform, path), 'utf8')
    if (/['"]@tillwright\/bank-simulator['"]/.test(text)) asking.push(path)
  }
  expect(asking).toEqual(['run.js'])
  expect(manifest.files).toEqual(['dist', '!dist/.tsbuildinfo'])
  expect(Object.keys(manifest.dependencies)).not.toContain('@tillwright/bank-simulator')
  expect(manifest.peerDependenciesMeta).toMatchObject({ '@tillwright/bank-simulator': { optional: true } })
})
