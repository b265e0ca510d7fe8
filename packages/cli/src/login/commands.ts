import { Command, Option } from 'commander'
import { askPlatform } from '../target/ask-platform.ts'
import type { Connection } from '../target/connect.ts'
import { readCredentials, writeCredentials } from '../target/credentials.ts'
import { type Target, targetNames } from '../target/target.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { answer, facts, jsonOption, type OutputOptions } from '../terminal/output.ts'

type LoginOptions = OutputOptions & { target: Target['name']; url: string; store?: string }

const help = `
The key is read from a prompt, the standard input, or TILLWRIGHT_API_KEY; it is never an argument, which other users could
see. It is checked with the platform and stored in $XDG_CONFIG_HOME/tillwright/credentials.json, which only you can
read.`

/** `tillwright login`. */
export const loginCommand = new Command('login')
  .addOption(new Option('--target <name>', "the platform's environment").choices(targetNames).makeOptionMandatory())
  .requiredOption('--url <url>', 'its address, such as https://api.shop.example')
  .option('--store <id>', 'the default store for other commands')
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

type LogoutOptions = OutputOptions & { target: Target['name'] }

/** `tillwright logout`. */
export const logoutCommand = new Command('logout')
  .addOption(new Option('--target <name>', 'which platform').choices(targetNames).makeOptionMandatory())
  .option(...jsonOption)
  .action((options: LogoutOptions) =>
    answer(
      options,
      () => logout(options),
      ({ apiUrl }) =>
        `The key for ${apiUrl} was removed from this machine; to end it everywhere, use "tillwright keys revoke".\n`,
    ),
  )

async function logout({ target }: LogoutOptions): Promise<{ target: Target['name']; apiUrl: string }> {
  const { targets, platforms } = await readCredentials()
  const apiUrl = targets[target]
  if (apiUrl === undefined) throw new CommandFailed(`--target ${target}: there is no login.`)
  await writeCredentials({
    targets: Object.fromEntries(Object.entries(targets).filter(([, origin]) => origin !== apiUrl)),
    platforms: Object.fromEntries(Object.entries(platforms).filter(([origin]) => origin !== apiUrl)),
  })
  return { target, apiUrl }
}

/** `tillwright whoami`. */
export const whoamiCommand = withTarget(new Command('whoami'))
  .option(...jsonOption)
  .action((options: OutputOptions & TargetOptions) =>
    askPlatform(options, async (connection) => whoIs(connection), show),
  )

type Who = ReturnType<typeof whoIs>

function whoIs({ key, target }: Connection) {
  return { target: target.name, apiUrl: target.apiUrl, storeId: target.storeId, ...key }
}

function show({ target, apiUrl, storeId, accountId, keyId, plan, roles, scopes }: Who): string {
  return facts([
    ['target', target],
    ['platform', apiUrl],
    ['account', accountId],
    ['store', storeId ?? 'none'],
    ['key', keyId],
    ['plan', plan],
    ['may', [...roles, ...scopes].join(', ') || 'everything but administration'],
  ])
}
