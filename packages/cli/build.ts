import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'

/**
 * The platform and the dev server are installed beside the command line by those who run one; the platform's other faces are
 * small and come along.
 */
const partsApart: Plugin = {
  name: 'parts-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@tillwright\/(?:platform|plugin-dev)$/ }, ({ path }) => ({ path, external: true })),
}

if (import.meta.main) await buildCli(join(import.meta.dirname, 'dist'))

/**
 * Builds what npm gets: `main.js` and a chunk for each group of commands, with all that they need but esbuild, which is
 * a program of the machine's own kind; and the licenses of what is in them. The same source gives the same bytes.
 */
export async function buildCli(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ['src/main.ts'],
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.22',
    // The UMD of jsonc-parser asks for its files by names that no bundler can follow.
    mainFields: ['module', 'main'],
    external: ['esbuild'],
    plugins: [partsApart],
    minifySyntax: true,
    minifyWhitespace: true, // names stay: stacks tell where something happened
    charset: 'utf8',
    legalComments: 'none', // the licenses stand in a file of their own
    logLevel: 'warning',
    metafile: true,
  })
  await writeFile(join(folder, 'LICENSES.txt'), await licensesOf(metafile))
}

/** The license of each package that is bundled, below its name. */
async function licensesOf({ inputs }: Metafile): Promise<string> {
  const folders = Object.keys(inputs).flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  const licenses = await Promise.all([...new Set(folders)].map((path) => licenseOf(join(import.meta.dirname, path))))
  return licenses.toSorted().join('\n')
}

/** A package without a file of its license names it in its manifest. */
async function licenseOf(folder: string): Promise<string> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  if (typeof license !== 'string') throw new Error(`${name} names no license; see whether it may be bundled.`)
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? `By ${author?.name ?? author}.\n` : await readFile(join(folder, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text}\n`
}
