import { Command } from 'commander'
import type { TargetOptions } from '../target/find-target.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { Connection } from '../target/connect.ts'
import { withTarget } from '../target/target-option.ts'
import { facts } from '../terminal/align.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'

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
