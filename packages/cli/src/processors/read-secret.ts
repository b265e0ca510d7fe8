import { text } from 'node:stream/consumers'
import { CommandFailed } from '../terminal/fail-with.ts'

/** Possible sources of a secret. An option would appear in the shell's history and in the list of processes. */
export interface SecretSource {
  fromStdin: boolean
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  env: Readonly<Record<string, string | undefined>>
}

/** The environment variable that may contain the secret instead. */
const VARIABLE = 'TILLWRIGHT_PROCESSOR_SECRET'

/**
 * A processor's secret, or `null` if none is given.
 *
 * @throws {CommandFailed} If it should be piped in and is not.
 */
export async function readSecret({ fromStdin, stdin, env }: SecretSource): Promise<string | null> {
  if (!fromStdin) return env[VARIABLE] ?? null
  if (stdin.isTTY !== true) return text(stdin)
  throw new CommandFailed(`--secret-from-stdin: pipe the secret in, for example from a file or a password manager.`)
}
