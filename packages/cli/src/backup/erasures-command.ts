import type { Operator } from '@tillwright/platform'
import { Command } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { resourceCommand } from '../resources/resource-command.ts'
import { jsonOption, type OutputOptions } from '../terminal/output.ts'

type Erasures = Operator['erasures']
type Wanted = Parameters<Erasures['repeat']>[0]

const repeatHelp = `
For a database that was brought back by something else than "tillwright restore", such as PostgreSQL's recovery to a
moment: it does not know the erasures after that moment. Name at least one of the two lists. The customers are marked as
erased at once, and a running platform, or the next one that starts, erases the rest. What the database knows already is left alone,
so the command can be repeated.`

const repeat = new Command('repeat')
  .description('Erase those customers again whom a recovered database does not know as erased')
  .option('--file <file>', 'what "erasures list --csv" printed before the database was lost')
  .option('--backups <folder>', 'a folder of backups, whose newest whole one names its erasures')
  .option(...jsonOption)
  .addHelpText('after', `${repeatHelp}\n${settingsHelp}`)
  .action(({ file, backups, ...output }: OutputOptions & Wanted) =>
    operate(
      output,
      ({ erasures }) =>
        erasures.repeat({ ...(file !== undefined && { file }), ...(backups !== undefined && { backups }) }),
      { show },
    ),
  )

/** `tillwright erasures`: receipts of erased customers, and erasing them again after a recovery. */
export const erasuresCommand = resourceCommand('erasures').addCommand(repeat)

function show({ named, begun }: Awaited<ReturnType<Erasures['repeat']>>): string {
  if (begun.length === 0) return `None of ${named} erasures had to be repeated.\n`
  const others = named === begun.length ? '' : ' The database knows the others, or has no such customer.'
  return `${begun.join('\n')}\nErased again: ${begun.length} of ${named}.${others}\n`
}
