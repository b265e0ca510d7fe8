import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { licensesOf } from '../../.ci/licenses-of.ts'

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
  await writeFile(join(folder, 'LICENSES.txt'), await licensesOf(metafile, import.meta.dirname))
}
