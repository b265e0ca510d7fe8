import { spawn } from 'node:child_process'
import { Command } from 'commander'

const help = `
Examples:
  tillwright node --test        run the plugin's own tests
  tillwright node seed.ts       run a script in TypeScript

Where the Node of the machine is too old for Tillwright, this is the newer one that the command line has fetched.`

/** `tillwright node`: the Node that runs the command line, for scripts and tests that have to run everywhere. */
export const nodeCommand = new Command('node')
  .argument('[args...]', 'what Node gets, as it is')
  .allowUnknownOption()
  .passThroughOptions()
  .helpOption(false)
  .addHelpText('after', help)
  .action((args: string[]) => runNode(args))

function runNode(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      process.exitCode = code ?? 1
      resolve()
    })
  })
}
