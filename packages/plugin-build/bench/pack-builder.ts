import { join } from 'node:path'
import { build } from 'esbuild'
import { PACKED } from './builders.ts'

/** Packs the builder as part of the command line that authors run (`cli/build.ts`). */
export async function packBuilder(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, '../src/bundle/bundle-plugin.ts')],
    outfile: PACKED,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.22',
    external: ['esbuild'],
    minifySyntax: true,
    minifyWhitespace: true,
  })
}
