import { fixPlugin, type Problem, validatePlugin } from '@tillwright/plugin-build'
import { answer, type OutputOptions } from '../terminal/output.ts'
import { dryRunOption, judge, pluginCommand, showProblems } from './plugin-command.ts'
import { writeText } from './write-text.ts'

interface ValidateOptions extends OutputOptions {
  fix?: boolean
  dryRun?: boolean
}

/** What a folder was found to be. */
interface Validated {
  valid: boolean
  problems: Problem[]
  /** Those of the problems that `--fix` would mend. */
  fixable: Problem[]
  /** What `--fix` has mended, or would mend in a dry run. */
  fixed: Problem[]
  /** The files that it has changed, or would change. */
  files: string[]
  dryRun: boolean
}

/** One mending may bring more to light, such as keys of an object that was misspelt; so often it is done again. */
const ROUNDS_MAX = 8

const help = `
Each line names file, line and column, the JSON pointer, what must hold, and what to do. It ends with 3 when one of them is
an error; warnings are told and nothing more.`

/** `tillwright validate`. */
export const validateCommand = pluginCommand('validate')
  .option('--fix', 'mend misspelt keys and choices, trailing commas and byte order marks; comments stay')
  .option(...dryRunOption)
  .addHelpText('after', help)
  .action((folder: string, options: ValidateOptions) => answer(options, () => validate(folder, options), show))

async function validate(folder: string, { fix, dryRun = false }: ValidateOptions): Promise<Validated> {
  const mended = fix === true ? await mend(folder, dryRun) : { fixed: [], files: [] }
  const validation = await validatePlugin(folder)
  judge(validation.problems)
  return { ...validation, ...mended, dryRun }
}

async function mend(folder: string, dryRun: boolean): Promise<Pick<Validated, 'fixed' | 'files'>> {
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
  const mended =
    fixed.length === 0 ? '' : `${dryRun ? 'Would mend' : 'Mended'} ${fixed.length} in ${files.join(', ')}:\n`
  const left = dryRun || fixable.length === 0 ? '' : `${fixable.length} of them can be mended with --fix.\n`
  const verdict = valid ? 'The plugin is valid.\n' : ''
  return [mended, mended === '' ? '' : showProblems(fixed), mended !== '' && problems.length > 0 ? 'Left:\n' : '']
    .concat(showProblems(problems), left, verdict)
    .join('')
}
