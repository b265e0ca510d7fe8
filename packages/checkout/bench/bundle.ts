import { build, type BuildOptions } from 'esbuild'

/** The script of a bundle and the style that its imports bring along, which is empty when there is none. */
export interface Bundle {
  script: string
  style: string
}

/** Bundles an entry as a shop would for today's browsers: tree-shaken, minified, for production. */
export async function bundle(options: BuildOptions): Promise<Bundle> {
  const { outputFiles } = await build({
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'chrome111',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
    outdir: 'out', // names the files; nothing is written
    ...options,
    define: { 'process.env.NODE_ENV': '"production"', ...options.define },
    write: false,
  })
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return { script: text('.js'), style: text('.css') }
}

/** The bundle of a shop's own few lines, which import from the packages in a folder. */
export function bundleShop(lines: string, folder: string): Promise<Bundle> {
  return bundle({ stdin: { contents: lines, resolveDir: folder, sourcefile: 'shop.js' } })
}
