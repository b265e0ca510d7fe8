import { Command, Option } from 'commander'
import { facts } from '../terminal/align.ts'
import { answer, jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { targetNames, type Target } from '../target/target.ts'

type LoginOptions = OutputOptions & { target: Target['name']; url: string; store?: string }

const help = `
The key is asked for, or read from the standard input, or from TILLWRIGHT_API_KEY; it is never an argument, which others
could see. It is checked with the platform, then kept in $XDG_CONFIG_HOME/tillwright/credentials.json, which you alone
can read.`

/** `tillwright login`. */
export const loginCommand = new Command('login')
  .addOption(new Option('--target <name>', 'what kind of platform it is').choices(targetNames).makeOptionMandatory())
  .requiredOption('--url <url>', 'where it answers, such as https://api.shop.example')
  .option('--store <id>', 'the store to work on unless a command names another')
  .option(...jsonOption)
  .addHelpText('after', help)
  .action((options: LoginOptions) =>
    answer(
      options,
      async () => {
        const { login } = await import('./login.ts')
        return login(options)
      },
      (kept) =>
        facts([
          ['target', kept.target],
          ['platform', kept.apiUrl],
          ['account', kept.accountId],
          ['store', kept.storeId ?? 'none'],
          ['kept in', kept.file],
        ]),
    ),
  )
