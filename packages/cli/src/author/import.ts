import { type Change, importPlugin, type Problem } from '@tillwright/plugin-build'
import pc from 'picocolors'
import { answer, type OutputOptions } from '../terminal/output.ts'
import { dryRunOption, judge, pluginCommand, showProblems } from './plugin-command.ts'
import { writeText } from './write-text.ts'

interface ImportOptions extends OutputOptions {
  dryRun?: boolean
}

interface Imported {
  /** The files that were written, or would be in a dry run. */
  files: string[]
  report: Change[]
  problems: Problem[]
  dryRun: boolean
}

const help = `
Rewrites outdated parts of older plugins: features and requirements as text, removed modes, settings in files that the
manifest does not mention. Comments and order are kept, and every change is reported.`

/** `tillwright import`. */
export const importCommand = pluginCommand('import')
  .option(...dryRunOption)
  .addHelpText('after', help)
  .action((folder: string, options: ImportOptions) => answer(options, () => bringUpToDate(folder, options), show))

async function bringUpToDate(folder: string, { dryRun = false }: ImportOptions): Promise<Imported> {
  const { files, report, problems } = await importPlugin(folder)
  judge(problems)
  if (!dryRun) {
    // The manifest comes first and is written last, because it refers to the others.
    for (const file of files.toReversed()) await writeText(folder, file)
  }
  return { files: files.map(({ path }) => path), report, problems, dryRun }
}

function show({ files, report, problems, dryRun }: Imported): string {
  if (problems.length > 0) return showProblems(problems)
  if (files.length === 0) return 'The plugin is already up to date.\n'
  const changes = report.map(({ file, pointer, change }) => `${pc.bold([file, pointer].join(' ').trim())} ${change}\n`)
  return `${changes.join('')}${dryRun ? 'Would write' : 'Wrote'} ${files.join(', ')}.\n`
}
