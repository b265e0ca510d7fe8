import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { licensesOf } from '../../.ci/licenses-of.ts'
import { pluginFileSchema } from '../contract/src/manifest/plugin-file.ts'

/**
 * The platform and the dev server are installed separately by those who run them; the platform's other entry points are
 * small and are bundled.
 */
const partsApart: Plugin = {
  name: 'parts-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@tillwright\/(?:platform(?:\/run)?|plugin-dev)$/ }, ({ path }) => ({ path, external: true })),
}

if (import.meta.main) await buildCli(join(import.meta.dirname, 'dist'))

/**
 * Builds the npm package: `main.js` and a chunk per group of commands, including all dependencies except esbuild, which
 * is a native program; the licenses of everything included; and the JSON Schema of `plugin.manifest.json`, for editors. Reproducible: the same source gives the same bytes.
 *
 * @param without Packages of ours that are left out: the commands that need them say so.
 */
export async function buildCli(folder: string, without: readonly string[] = []): Promise<void> {
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
    // The UMD build of jsonc-parser requires its files in a way that bundlers cannot follow.
    mainFields: ['module', 'main'],
    external: ['esbuild', ...without],
    plugins: [partsApart],
    minifySyntax: true,
    minifyWhitespace: true, // names are kept for readable stack traces
    charset: 'ascii', // one letter beyond Latin-1 would double what V8 keeps of a chunk's text
    legalComments: 'none', // licenses are in a separate file
    logLevel: 'warning',
    metafile: true,
  })
  await writeFile(join(folder, 'plugin.schema.json'), `${JSON.stringify(pluginFileSchema(), null, 2)}\n`)
  await writeFile(join(folder, 'LICENSES.txt'), await licensesOf(metafile, import.meta.dirname))
}
