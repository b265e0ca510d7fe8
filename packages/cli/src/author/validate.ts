import { fixPlugin, type Problem, readPlugin } from '@tillwright/plugin-build'
import { answer, type OutputOptions } from '../terminal/output.ts'
import { dryRunOption, judge, pluginCommand, showProblems } from './plugin-command.ts'
import { scenariosIfInstalled } from './plugin-scenarios.ts'
import { writeText } from './write-text.ts'

interface ValidateOptions extends OutputOptions {
  fix?: boolean
  dryRun?: boolean
}

/** The result of validating a folder. */
interface Validated {
  valid: boolean
  problems: Problem[]
  /** The problems that `--fix` can fix. */
  fixable: Problem[]
  /** The problems that `--fix` has fixed, or would fix in a dry run. */
  fixed: Problem[]
  /** The files that were changed, or would be in a dry run. */
  files: string[]
  dryRun: boolean
}

/**
 * Maximum number of rounds of fixing: a fix may reveal further problems, such as keys of an object whose name was
 * misspelt.
 */
const ROUNDS_MAX = 8

const help = `
Each line contains file, line and column, the JSON pointer, the rule, and the fix. scenarios.json is checked where the
dev server is installed. Exits with 3 if there is an error; warnings do not change the exit code.`

/** `tillwright validate`. */
export const validateCommand = pluginCommand('validate')
  .option('--fix', 'fix misspelt keys and values, trailing commas and byte order marks; comments are kept')
  .option(...dryRunOption)
  .addHelpText('after', help)
  .action((folder: string, options: ValidateOptions) => answer(options, () => validate(folder, options), show))

async function validate(folder: string, { fix, dryRun = false }: ValidateOptions): Promise<Validated> {
  const outcome = fix === true ? await fixPlugins(folder, dryRun) : { fixed: [], files: [] }
  const { plugin, fixable, problems: ofPlugin } = await readPlugin(folder)
  // A plugin with errors has no scenarios: they name its pages and presets.
  const read = plugin === null ? null : await scenariosIfInstalled(plugin)
  const problems = [...ofPlugin, ...(read?.problems ?? [])]
  return { valid: judge(problems), problems, fixable, ...outcome, dryRun }
}

async function fixPlugins(folder: string, dryRun: boolean): Promise<Pick<Validated, 'fixed' | 'files'>> {
  const all: Problem[] = []
  const paths = new Set<string>()
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { files, fixed } = await fixPlugin(folder)
    all.push(...fixed)
    for (const { path } of files) paths.add(path)
    if (dryRun || files.length === 0) break
    for (const file of files) await writeText(folder, file)
  }
  return { fixed: all, files: [...paths] }
}

function show({ valid, problems, fixable, fixed, files, dryRun }: Validated): string {
  const summary =
    fixed.length === 0 ? '' : `${dryRun ? 'Would fix' : 'Fixed'} ${fixed.length} in ${files.join(', ')}:\n`
  const left = dryRun || fixable.length === 0 ? '' : `${fixable.length} of them can be fixed with --fix.\n`
  const verdict = valid ? 'The plugin is valid.\n' : ''
  return [
    summary,
    summary === '' ? '' : showProblems(fixed),
    summary !== '' && problems.length > 0 ? 'Remaining:\n' : '',
  ]
    .concat(showProblems(problems), left, verdict)
    .join('')
}
