import { rm } from 'node:fs/promises'
import { buildPlugin } from '@tillwright/plugin-build'
import { deployPlugin } from '../../platform/test/plugins/deploy-plugin.ts'
import type { TestPlatform } from '../../platform/test/test-platform.ts'
import { pluginFolder } from './plugin-folder.ts'

/** A plugin deployed to the local store. */
export interface DeployedPlugin {
  pluginId: string
  url: string
}

/**
 * Builds a plugin as its author would, with this package and the tests' libraries installed, and deploys it.
 *
 * @param files The plugin's files by path; `plugin.manifest.json` is generated.
 * @param preact As in `pluginFolder()`.
 */
export async function buildAndDeploy(
  platform: TestPlatform,
  {
    pages,
    files,
    preact,
  }: { pages: { id: string; path: string }[]; files: Readonly<Record<string, string>>; preact?: string },
): Promise<DeployedPlugin> {
  const folder = await pluginFolder({ ...files, 'plugin.manifest.json': JSON.stringify({ ...least, pages }) }, preact)
  const { files: built, problems } = await buildPlugin(folder, { environment: {}, target: 'test' })
  await rm(folder, { recursive: true })
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  const { url, pluginId } = await deployPlugin(platform, {
    manifest: { pages },
    inlineAssets: built.map(({ path, bytes, contentType }) => {
      return { path, contentType, encoding: 'base64' as const, content: Buffer.from(bytes).toString('base64') }
    }),
  })
  return { url, pluginId }
}

const least = { pluginId: 'bags', name: 'Bags', version: '1.0.0' }
