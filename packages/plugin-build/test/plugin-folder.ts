import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The minimal manifest of a plugin. */
export const leastFile = { pluginId: 'shop', name: 'Shop', version: '1.0.0', pages: [{ id: 'home', path: '/' }] }

/**
 * Creates a folder with files, which is removed after the test.
 *
 * @param files By path; objects are written as JSON.
 * @returns The folder's real path.
 */
export async function pluginFolder(files: Readonly<Record<string, string | Uint8Array | object>>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-plugin-')))
  onTestFinished(async () => rm(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    const isText = typeof content === 'string' || content instanceof Uint8Array
    await writeFile(join(root, path), isText ? content : JSON.stringify(content, null, 2))
  }
  return root
}

/** Creates a folder with a valid plugin; the given keys replace those of its manifest. */
export async function soundPlugin(
  file: object = {},
  files: Readonly<Record<string, string | object>> = {},
): Promise<string> {
  return pluginFolder({ 'plugin.manifest.json': { ...leastFile, ...file }, 'src/pages/home.tsx': '', ...files })
}
