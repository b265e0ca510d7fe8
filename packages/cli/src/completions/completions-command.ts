import { Argument, Command } from 'commander'
import { answer, jsonOption, type OutputOptions } from '../terminal/output.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

const help = `
bash:  eval "$(tillwright completions bash)" in ~/.bashrc
zsh:   eval "$(tillwright completions zsh)" in ~/.zshrc, after compinit
fish:  tillwright completions fish > ~/.config/fish/completions/tillwright.fish`

/** `tillwright completions`. */
export const completionsCommand = new Command('completions')
  .addArgument(new Argument('<shell>', 'which shell').choices(shells))
  .option(...jsonOption)
  .addHelpText('after', help)
  .action((shell: Shell, options: OutputOptions, command: Command) =>
    answer(
      options,
      () => completions(shell, command.parent ?? command),
      ({ script }) => script,
    ),
  )

/** @param program `tillwright` with every command of every group. */
async function completions(shell: Shell, program: Command): Promise<{ shell: Shell; script: string }> {
  const { wordsOf } = await import('./command-words.ts')
  return { shell, script: (await scripts[shell]())(wordsOf(program)) }
}

const scripts = {
  bash: async () => (await import('./bash-script.ts')).bashScript,
  zsh: async () => (await import('./zsh-script.ts')).zshScript,
  fish: async () => (await import('./fish-script.ts')).fishScript,
}
