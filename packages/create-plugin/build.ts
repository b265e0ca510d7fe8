import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { licensesOf } from '../../.ci/licenses-of.ts'
import { packTemplates } from './pack-templates.ts'
import { TEMPLATES_FILE } from './src/files.ts'

if (import.meta.main) await buildCreatePlugin(join(import.meta.dirname, 'dist'))

/**
 * Builds the published files: one program with all its dependencies, the templates, and the licenses of what is
 * bundled. It is CommonJS, so that the code for questions costs nothing before a question is asked.
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
    minifyWhitespace: true, // names stay, for stack traces
    charset: 'utf8',
    legalComments: 'none', // the licenses stand in a file of their own
    logLevel: 'warning',
    metafile: true,
  })
  await writeFile(join(folder, TEMPLATES_FILE), JSON.stringify(await packTemplates()))
  await writeFile(join(folder, 'LICENSES.txt'), await licensesOf(metafile, import.meta.dirname))
}
