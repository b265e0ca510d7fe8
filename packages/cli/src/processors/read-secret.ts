import { text } from 'node:stream/consumers'
import { CommandFailed } from '../terminal/fail-with.ts'

/** Where a secret may come from. An option would stand in the shell's history and in the list of processes. */
export interface SecretSource {
  fromStdin: boolean
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  env: Readonly<Record<string, string | undefined>>
}

/** The variable that may hold the secret instead. */
const VARIABLE = 'TILLWRIGHT_PROCESSOR_SECRET'

/**
 * A processor's secret, or `null` where none is given.
 *
 * @throws {CommandFailed} When it should be piped in and is not.
 */
export async function readSecret({ fromStdin, stdin, env }: SecretSource): Promise<string | null> {
  if (!fromStdin) return env[VARIABLE] ?? null
  if (stdin.isTTY !== true) return text(stdin)
  throw new CommandFailed(`--secret-from-stdin: pipe the secret in, as from a file or a password manager.`)
}
