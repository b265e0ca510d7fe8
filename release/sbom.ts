import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { collectPackages } from '../operate/image/npm-packages.ts'
import { uuidOf } from '../operate/image/sbom.ts'
import { type PublicPackage, publicPackages } from '../.ci/public-packages.ts'
import { root } from '../.ci/spawn-program.ts'
import { pack } from './pack-all.ts'

const run = promisify(execFile)

/** An npm package that comes with one of ours, below it or in its files. */
interface Ingredient {
  name: string
  version: string
  /** An SPDX expression, or `NOASSERTION`. */
  license: string
  isBundled: boolean
}

/**
 * The bill of materials of a built package, as CycloneDX 1.6 in JSON: what an install brings along, in the versions that we
 * test with, and what is bundled into its files. The same package gives the same text.
 */
export async function sbomOf({ name, folder }: PublicPackage): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'tillwright-sbom-'))
  try {
    const tarball = join(scratch, 'packed.tgz')
    const { manifest } = await pack(folder, tarball)
    const unpacked = join(scratch, 'package')
    await mkdir(unpacked)
    await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'])
    const found = await collectPackages(new Map([[name, { unpacked, workspace: folder }]]), [])
    const installed = found.filter((each) => each.name !== name).map((each) => ({ ...each, isBundled: false }))
    return bomOf(manifest, await readFile(tarball), [...installed, ...(await bundledIn(unpacked))])
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Packages that a build's license files list as bundled. */
async function bundledIn(folder: string): Promise<Ingredient[]> {
  const ingredients: Ingredient[] = []
  for await (const path of glob('dist/**/*LICENSE*.{txt,md}', { cwd: folder })) {
    const text = await readFile(join(folder, path), 'utf8')
    for (const [, name = '', version = '', license = ''] of text.matchAll(
      /^(?:## )?(@?[\w./-]+) (?:- )?(\d[\w.+-]*) \(([^)]+)\)$/gm,
    )) {
      ingredients.push({ name, version, license, isBundled: true })
    }
  }
  return ingredients
}

function bomOf(own: { name: string; version: string }, tarball: Buffer, ingredients: readonly Ingredient[]): string {
  const byRef = new Map(ingredients.map((each) => [`${purlOf(each)}${each.isBundled ? '#bundled' : ''}`, each]))
  const components = [...byRef].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([ref, each]) => componentOf(ref, each))
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([own.name, own.version, components]))}`,
    version: 1,
    metadata: {
      component: {
        type: 'library',
        'bom-ref': purlOf(own),
        name: own.name,
        version: own.version,
        purl: purlOf(own),
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: hash('sha512', tarball) }],
      },
    },
    components,
    dependencies: [{ ref: purlOf(own), dependsOn: [...byRef.keys()].toSorted() }],
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}

function componentOf(ref: string, { name, version, license, isBundled }: Ingredient): object {
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    version,
    licenses: license === 'NOASSERTION' ? [] : [{ expression: license }],
    purl: purlOf({ name, version }),
    properties: isBundled ? [{ name: 'tillwright:bundled', value: 'true' }] : [],
  }
}

function purlOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** `pnpm sbom [FOLDER]`: writes one for each package that people install. */
if (import.meta.main) {
  const folder = process.argv[2] ?? join(root, 'dist/sbom')
  await mkdir(folder, { recursive: true })
  for (const each of await publicPackages()) {
    const file = join(folder, `${each.name.replace('@', '').replace('/', '-')}.cdx.json`)
    await writeFile(file, await sbomOf(each))
    console.log(file)
  }
}
