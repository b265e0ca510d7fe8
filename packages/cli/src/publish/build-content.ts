import { buildPlugin, type Plugin } from '@tillwright/plugin-build'
import { readContent, type Content } from '@tillwright/plugin-publish'
import type { Target } from '../target/target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { partMissing } from '../terminal/part-missing.ts'
import { showProblems } from '../author/show-problems.ts'

/** A plugin that was built, ready to be sent. */
export interface BuiltContent {
  content: Content
  /** The bytes of each file, by SHA-256. */
  bytes: ReadonlyMap<string, Uint8Array>
}

/**
 * Builds the plugin in a folder for a target. What is wrong with it is told on the standard error.
 *
 * @throws {CommandFailed} `invalid`, when one of the problems is an error.
 */
export async function buildContent(folder: string, target: Target['name']): Promise<BuiltContent> {
  const built = await buildPlugin(folder, {
    environment: process.env,
    target: target === 'production' ? 'live' : 'test',
  })
  process.stderr.write(showProblems(built.problems))
  const errors = built.problems.filter(({ severity }) => severity === 'error').length
  if (built.plugin === null || errors > 0) {
    throw new CommandFailed(`${folder}: ${errors} ${errors === 1 ? 'error' : 'errors'}; nothing was sent.`, 'invalid')
  }
  return {
    content: { ...readContent(built.plugin, built.files), ...(await previewsOf(built.plugin)) },
    bytes: new Map(built.files.map(({ sha256, bytes }) => [sha256, bytes])),
  }
}

/** The scenarios, which are read by the dev server's package: without that, nothing is said of previews. */
async function previewsOf(plugin: Plugin): Promise<Pick<Content, 'demoPreviews'>> {
  try {
    const { demoPreviewsOf, readScenarios } = await import('@tillwright/plugin-dev')
    const { scenarios, problems } = await readScenarios(plugin)
    process.stderr.write(showProblems(problems))
    return scenarios === null ? {} : { demoPreviews: demoPreviewsOf(plugin, scenarios) }
  } catch (error) {
    if (partMissing(error) !== null) return {}
    throw error
  }
}
