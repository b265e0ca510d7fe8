import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const sdk = join(import.meta.dirname, '..')

/**
 * Creates a plugin's folder with this package and the libraries of its hooks installed. The caller removes it.
 *
 * @param files By path.
 * @returns The folder's real path.
 */
export async function pluginFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-sdk-')))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  await mkdir(join(folder, 'node_modules/@tillwright'), { recursive: true })
  await symlink(sdk, join(folder, 'node_modules/@tillwright/plugin-sdk'))
  for (const name of ['preact', 'react', 'react-dom', '@types']) {
    await symlink(join(sdk, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}
