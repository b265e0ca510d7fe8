import { resolve } from 'node:path'
import { buildPlugin } from '@tillwright/plugin-build'
import { answer, type OutputOptions } from '../terminal/answer.ts'
import type { Built } from './built.ts'
import { dryRunOption, judge, pluginCommand } from './plugin-command.ts'
import { showBuild } from './show-build.ts'
import { fileList, writeBuild } from './write-build.ts'

interface BuildOptions extends OutputOptions {
  out: string
  dryRun?: boolean
}

const help = `
It checks the plugin first, then bundles it, and ends with 3 when there is an error: in the manifest or a module, a budget
that is not kept, a secret in the output, a field for cards. The folder is replaced as a whole, so nothing of an earlier
build stays; one that was not made by a build is left alone.

tillwright-build.json and --json have the whole report: of each page what it loads, its Content-Security-Policy and the
integrity of its files.`

/** `tillwright build`. */
export const buildCommand = pluginCommand('build')
  .option('--out <folder>', "where to write, from the plugin's folder", 'dist')
  .option(...dryRunOption)
  .addHelpText('after', help)
  .action((folder: string, options: BuildOptions) => answer(options, () => build(folder, options), showBuild))

async function build(folder: string, { out, dryRun = false }: BuildOptions): Promise<Built> {
  const { plugin, files, report, problems } = await buildPlugin(folder, { environment: process.env, target: null })
  if (judge(problems) && plugin !== null && !dryRun) {
    await writeBuild({ plugin, files, report }, resolve(plugin.root, out))
  }
  return { out, files: fileList(files), report, problems, dryRun }
}
