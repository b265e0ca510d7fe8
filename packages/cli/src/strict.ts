import type { Command } from 'commander'

const hint = '(--help says what it takes)'
/** Options that mean the same wherever they stand. */
const shared = ['json', 'yes', 'dry-run', 'target', 'url', 'store']

/**
 * Makes a command and all below it refuse what they do not know, and gives each option an environment variable:
 * `TILLWRIGHT_KEYS_CREATE_NAME` for `tillwright keys create --name`, and `TILLWRIGHT_JSON` for every `--json`.
 */
export function strict(command: Command, path: readonly string[] = []): Command {
  command.exitOverride().showHelpAfterError(hint).allowExcessArguments(false)
  for (const option of command.options) {
    if (option.long !== '--version') option.envVar = variable(shared.includes(option.name()) ? [] : path, option.name())
  }
  for (const each of command.commands) strict(each, [...path, each.name()])
  return command
}

function variable(path: readonly string[], option: string): string {
  return ['tillwright', ...path, option].join('_').replaceAll('-', '_').toUpperCase()
}
