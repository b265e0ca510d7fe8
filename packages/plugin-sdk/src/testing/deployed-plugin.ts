import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildPlugin } from '@tillwright/plugin-build'
import { deployPlugin } from '../../../platform/src/plugins/testing/deploy-plugin.ts'
import type { TestPlatform } from '../../../platform/src/testing/test-platform.ts'

const sdk = join(import.meta.dirname, '../..')

/** A plugin that is deployed to the local store. */
export interface DeployedPlugin {
  pluginId: string
  url: string
}

/**
 * Builds a plugin as its author would, with this package and the libraries of its tests installed, and deploys it.
 *
 * @param files Of the plugin's folder, by path; `plugin.manifest.json` is written here.
 */
export async function buildAndDeploy(
  platform: TestPlatform,
  { pages, files }: { pages: { id: string; path: string }[]; files: Readonly<Record<string, string>> },
): Promise<DeployedPlugin> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-sdk-')))
  try {
    await writeFolder(folder, { ...files, 'plugin.manifest.json': JSON.stringify({ ...least, pages }) })
    const { files: built, problems } = await buildPlugin(folder, { environment: {}, target: 'test' })
    if (problems.length > 0) throw new Error(JSON.stringify(problems))
    const { url, pluginId } = await deployPlugin(platform, {
      manifest: { pages },
      inlineAssets: built.map(({ path, bytes, contentType }) => {
        return { path, contentType, encoding: 'base64' as const, content: Buffer.from(bytes).toString('base64') }
      }),
    })
    return { url, pluginId }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const least = { pluginId: 'bags', name: 'Bags', version: '1.0.0' }

async function writeFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  await mkdir(join(folder, 'node_modules/@tillwright'), { recursive: true })
  await symlink(sdk, join(folder, 'node_modules/@tillwright/plugin-sdk'))
  for (const name of ['preact', 'react', 'react-dom']) {
    await symlink(join(sdk, 'node_modules', name), join(folder, 'node_modules', name))
  }
}
