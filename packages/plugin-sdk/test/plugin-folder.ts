import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const sdk = join(import.meta.dirname, '..')

/**
 * Creates a plugin's folder with this package and the libraries of its hooks installed. The caller removes it.
 *
 * @param files By path.
 * @param preact The dependency of this package that is installed as `preact`.
 * @returns The folder's real path.
 */
export async function pluginFolder(files: Readonly<Record<string, string>>, preact = 'preact'): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-sdk-')))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const installed = join(folder, 'node_modules')
  // A copy finds the plugin's own Preact, as an installed package does; behind a link it would find ours.
  for (const part of ['package.json', 'src']) {
    await cp(join(sdk, part), join(installed, '@tillwright/plugin-sdk', part), { recursive: true })
  }
  for (const name of ['@tillwright/checkout', '@tillwright/contract', '@types', 'react', 'react-dom']) {
    await symlink(join(sdk, 'node_modules', name), join(installed, name))
  }
  await symlink(join(sdk, 'node_modules', preact), join(installed, 'preact'))
  return folder
}
