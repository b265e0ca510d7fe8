import { Command, Option } from 'commander'
import { readCredentials, writeCredentials } from '../target/credentials.ts'
import { targetNames, type Target } from '../target/target.ts'
import { answer, jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

type LogoutOptions = OutputOptions & { target: Target['name'] }

/** `tillwright logout`. */
export const logoutCommand = new Command('logout')
  .addOption(new Option('--target <name>', 'which platform').choices(targetNames).makeOptionMandatory())
  .option(...jsonOption)
  .action((options: LogoutOptions) =>
    answer(
      options,
      () => logout(options),
      ({ apiUrl }) => `The key for ${apiUrl} is forgotten here; "tillwright keys revoke" ends it everywhere.\n`,
    ),
  )

async function logout({ target }: LogoutOptions): Promise<{ target: Target['name']; apiUrl: string }> {
  const { targets, platforms } = await readCredentials()
  const apiUrl = targets[target]
  if (apiUrl === undefined) throw new CommandFailed(`--target ${target}: nobody is logged in.`)
  await writeCredentials({
    targets: Object.fromEntries(Object.entries(targets).filter(([, origin]) => origin !== apiUrl)),
    platforms: Object.fromEntries(Object.entries(platforms).filter(([origin]) => origin !== apiUrl)),
  })
  return { target, apiUrl }
}
