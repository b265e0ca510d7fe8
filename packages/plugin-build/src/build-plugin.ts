import { PLUGIN_FILE } from '@tillwright/contract'
import { type Bundle, type BundleOptions, bundlePlugin } from './bundle/index.ts'
import { atValue, pathOfPointer, readJson } from './json/index.ts'
import { checkSdk, type Plugin, readPlugin } from './manifest/index.ts'
import type { Problem } from './problem.ts'

/** A plugin as it was read, with its build. */
export interface BuiltPlugin extends Bundle {
  /** Null if its manifest or settings have errors; nothing is built in that case. */
  plugin: Plugin | null
}

/**
 * Reads a plugin's folder and bundles it, in memory.
 *
 * @returns No files if one of the problems is an error. Problems of the manifest come first.
 */
export async function buildPlugin(
  folder: string,
  { environment, target }: Pick<BundleOptions, 'environment' | 'target'>,
): Promise<BuiltPlugin> {
  const { plugin, problems } = await readPlugin(folder)
  if (plugin === null) return { plugin, files: [], report: null, problems }
  const { root, mode, pages, publicFolder, budgets, environment: neededVariables } = plugin
  const { name, description, security } = plugin.file
  const sdkProblems = await checkRequirements(plugin)
  if (sdkProblems.length > 0) return { plugin, files: [], report: null, problems: [...problems, ...sdkProblems] }
  const known = { root, mode, name, description, pages, publicFolder, budgets, neededVariables, security }
  const bundle = await bundlePlugin({ ...known, environment, target })
  return { ...bundle, plugin, problems: [...problems, ...(await withPlaces(root, bundle.problems))] }
}

/** Checks that the SDK in the plugin's folder is the one that its manifest requires, without which it is not built. */
export function checkRequirements({ root, file }: Plugin): Promise<Problem[]> {
  return withPlaces(root, checkSdk(root, file.requirements ?? {}))
}

/** These problems name the value of the manifest that is at fault, but not its position. */
async function withPlaces(root: string, problems: readonly Problem[]): Promise<Problem[]> {
  if (problems.every(({ pointer }) => pointer === null)) return [...problems]
  const { document } = await readJson(root, PLUGIN_FILE)
  return problems.map((problem) => {
    const { pointer, code, severity, rule, fix } = problem
    if (pointer === null || document === null) return problem
    return atValue(document, pathOfPointer(pointer), { code, severity, rule, fix }).problem
  })
}
