import { choices, type Operator } from '@tillwright/platform'
import { Command, Option } from 'commander'
import pc from 'picocolors'
import { isOverHttp, operate, settingsHelp } from '../operate.ts'
import { operationCommands } from '../resources/resource-command.ts'
import { findLocal } from '../target/local.ts'
import { facts, jsonOption, type OutputOptions } from '../terminal/output.ts'

type Wanted = Parameters<Operator['members']['invite']>[0]
type Invited = Awaited<ReturnType<Operator['members']['invite']>>

const invite = new Command('invite')
  .description('Make a one-time link that makes a person a member of an account, and print it once')
  .requiredOption('--email <address>', "the person's e-mail address")
  .option('--name <text>', "the person's name in lists")
  .addOption(new Option('--role <role>', 'what the member may do').choices(choices.memberRoles).default('owner'))
  .option('--account <id>', 'the account; optional if there is only one')
  .option(...jsonOption)
  .addHelpText(
    'after',
    `
The first owner of an account is made by this link; owners invite the others in the console. A member who has lost
every passkey and recovery code gets a link for a new passkey, and keeps the role.
${settingsHelp}`,
  )
  .action((options: OutputOptions & Wanted) =>
    operate(options, async ({ members }) => whereItRuns(await members.invite(options)), { show }),
  )

/** `tillwright members`: makes the first member of an account; the other operations on members are those of the API. */
export const membersCommand = operationCommands('members')
  .filter((command) => command.name() !== invite.name())
  .reduce((group, each) => group.addCommand(each), new Command('members').addCommand(invite))

/** A local platform that runs may have another port than the settings here say. */
async function whereItRuns(invited: Invited): Promise<Invited> {
  const local = (await isOverHttp({})) ? await findLocal() : null
  if (local === null) return invited
  const { pathname, hash } = new URL(invited.link)
  return { ...invited, link: `${local.apiUrl}${pathname}${hash}` }
}

function show({ link, expiresAt, ...member }: Invited): string {
  return `${pc.bold(link)}\n\nThis is shown once. Whoever opens it first becomes the member.\n\n${facts([
    ['member', member.id],
    ['e-mail', member.email],
    ['role', member.role],
    ['link expires', expiresAt],
  ])}`
}
