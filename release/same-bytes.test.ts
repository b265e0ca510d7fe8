import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type PublicPackage, publicPackages } from '../.ci/public-packages.ts'
import { packageSizes, staleSizes } from '../.ci/sizes.ts'
import { soaks } from '../.ci/soaks.ts'
import { root } from '../.ci/spawn-program.ts'
import { buildThere, otherClone } from './other-clone.ts'
import { pack } from './pack-all.ts'

/** Two that stand for the others in `npm test`: one whose types are taken off, and one that is bundled. */
const SLICE = ['@tillwright/create-plugin', '@tillwright/design-tokens']

/** Each package's archive, packed in a working tree that has been built. */
async function archives(tree: string, packages: readonly PublicPackage[]): Promise<Map<string, string>> {
  const scratch = await mkdtemp(join(tmpdir(), 'tillwright-archives-'))
  onTestFinished(() => rm(scratch, { recursive: true, force: true }))
  const entries = packages.map(async ({ name, folder }) => {
    const tarball = join(scratch, `${name.replace('/', '-')}.tgz`)
    await pack(join(tree, relative(root, folder)), tarball)
    return [name, tarball] as const
  })
  return new Map(await Promise.all(entries))
}

async function hashesOf(tarballs: ReadonlyMap<string, string>): Promise<Record<string, string>> {
  const hashes = Array.from(tarballs, async ([name, path]) => [name, hash('sha512', await readFile(path))] as const)
  return Object.fromEntries(await Promise.all(hashes))
}

test('packages of another clone, built at another time, are the same bytes and as large as the documentation says, in a soak all of them', async () => {
  const all = await publicPackages()
  const packages = soaks ? all : all.filter(({ name }) => SLICE.includes(name))
  const clone = await otherClone(soaks ? 'all' : packages)
  onTestFinished(() => rm(clone, { recursive: true, force: true }))
  await buildThere(clone, soaks ? 'all' : packages)
  const packed = await archives(clone, packages)
  expect(await hashesOf(packed)).toEqual(await hashesOf(await archives(root, packages)))
  expect(staleSizes(await packageSizes(packed))).toEqual([])
}, 600_000)
