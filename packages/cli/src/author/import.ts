import { type Change, importPlugin, type Problem } from '@tillwright/plugin-build'
import pc from 'picocolors'
import { answer, type OutputOptions } from '../terminal/output.ts'
import { dryRunOption, judge, pluginCommand, showProblems } from './plugin-command.ts'
import { writeText } from './write-text.ts'

interface ImportOptions extends OutputOptions {
  dryRun?: boolean
}

interface Imported {
  /** The files that were written, or would be. */
  files: string[]
  report: Change[]
  problems: Problem[]
  dryRun: boolean
}

const help = `
It rewrites what older plugins have: features and requirements as text, modes that are no more, settings in files that the
manifest does not name. Comments and order stay, and each change is told.`

/** `tillwright import`. */
export const importCommand = pluginCommand('import')
  .option(...dryRunOption)
  .addHelpText('after', help)
  .action((folder: string, options: ImportOptions) => answer(options, () => bringUpToDate(folder, options), show))

async function bringUpToDate(folder: string, { dryRun = false }: ImportOptions): Promise<Imported> {
  const { files, report, problems } = await importPlugin(folder)
  judge(problems)
  if (!dryRun) {
    // The manifest stands first and is written last: it names the others.
    for (const file of files.toReversed()) await writeText(folder, file)
  }
  return { files: files.map(({ path }) => path), report, problems, dryRun }
}

function show({ files, report, problems, dryRun }: Imported): string {
  if (problems.length > 0) return showProblems(problems)
  if (files.length === 0) return 'Nothing here is older than today.\n'
  const changes = report.map(({ file, pointer, change }) => `${pc.bold([file, pointer].join(' ').trim())} ${change}\n`)
  return `${changes.join('')}${dryRun ? 'Would write' : 'Wrote'} ${files.join(', ')}.\n`
}
