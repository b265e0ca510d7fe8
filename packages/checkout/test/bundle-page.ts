import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles a module with all that it imports into a script that a page can evaluate. */
export async function bundlePage(moduleUrl: string): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(moduleUrl)],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"development"' }, // React repeats effects in development only.
    write: false,
  })
  return result.outputFiles[0]?.text ?? ''
}
