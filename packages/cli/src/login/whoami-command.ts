import { Command } from 'commander'
import type { TargetOptions } from '../target/find-target.ts'
import { withTarget } from '../target/target-option.ts'
import { facts } from '../terminal/align.ts'
import { answer, jsonOption, type OutputOptions } from '../terminal/answer.ts'

/** `tillwright whoami`. */
export const whoamiCommand = withTarget(new Command('whoami'))
  .option(...jsonOption)
  .action((options: OutputOptions & TargetOptions) => answer(options, () => whoami(options), show))

type Who = Awaited<ReturnType<typeof whoami>>

async function whoami(options: TargetOptions) {
  const { connect } = await import('../target/connect.ts')
  const { key, target } = await connect(options)
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
