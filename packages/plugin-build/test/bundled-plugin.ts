import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { BundleOptions } from '../src/bundle/index.ts'

/** Files of a plugin by their path. */
export type PluginFiles = Readonly<Record<string, string | Uint8Array>>

/**
 * Writes a plugin into a new folder, with this package's dependencies installed, and removes it after the test.
 *
 * @param below Folders between the new one and the plugin.
 * @returns The plugin's folder.
 */
export async function folderWithPackages(files: PluginFiles, below = ''): Promise<string> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-plugin-')))
  onTestFinished(() => rm(top, { recursive: true }))
  const root = join(top, below)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  await symlink(join(import.meta.dirname, '../node_modules'), join(top, 'node_modules'))
  return root
}

/** A plugin of one page in `direct-mode`, `src/pages/pay.tsx`. */
export function bundleOptions(root: string, change: Partial<BundleOptions> = {}): BundleOptions {
  return {
    root,
    mode: 'direct-mode',
    name: 'Shop',
    pages: [{ id: 'pay', path: '/pay', name: 'Pay', entry: 'src/pages/pay.tsx' }],
    publicFolder: 'public',
    environment: {},
    neededVariables: [],
    budgets: {},
    target: null,
    ...change,
  }
}
