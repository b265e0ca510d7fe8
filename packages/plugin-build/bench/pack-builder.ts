import { join } from 'node:path'
import { build } from 'esbuild'

/** Where the builder lies as one file: below this package, so that it finds its esbuild. */
export const PACKED = join(import.meta.dirname, '../node_modules/.cache/bench/builder.mjs')

/** Packs the builder as the command line, which is what authors run, has it in its own files (`cli/build.ts`). */
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
