import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { licensesOf } from '../../.ci/licenses-of.ts'
import { packTemplates } from './pack-templates.ts'
import { TEMPLATES_FILE } from './src/templates.ts'

if (import.meta.main) await buildCreatePlugin(join(import.meta.dirname, 'dist'))

/**
 * Builds what npm gets: one program with all that it needs, the templates beside it, and the licenses of what is in it.
 * It is CommonJS, so that what asks questions costs nothing before a question is asked.
 */
export async function buildCreatePlugin(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ['src/main.ts'],
    outfile: join(folder, 'main.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22.22',
    define: { 'import.meta.dirname': '__dirname' },
    minifySyntax: true,
    minifyWhitespace: true, // names stay: stacks tell where something happened
    charset: 'utf8',
    legalComments: 'none', // the licenses stand in a file of their own
    logLevel: 'warning',
    metafile: true,
  })
  await writeFile(join(folder, TEMPLATES_FILE), JSON.stringify(await packTemplates()))
  await writeFile(join(folder, 'LICENSES.txt'), await licensesOf(metafile, import.meta.dirname))
}
