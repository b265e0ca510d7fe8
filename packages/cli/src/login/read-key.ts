import { text } from 'node:stream/consumers'
import { CommandFailed } from '../terminal/fail-with.ts'
import { isInteractive } from '../terminal/is-interactive.ts'

/**
 * A secret key: from TILLWRIGHT_API_KEY, from the standard input, or from whoever sits there, without showing it.
 *
 * @throws {CommandFailed} Where there is none.
 */
export async function readKey(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const given = env['TILLWRIGHT_API_KEY'] || (isInteractive() ? await askForKey() : await text(process.stdin))
  const key = given.trim()
  if (key !== '') return key
  throw new CommandFailed('The key is missing: pipe it in, or set TILLWRIGHT_API_KEY.', 'unauthorized')
}

async function askForKey(): Promise<string> {
  const { password } = await import('@clack/prompts')
  const answer = await password({ message: 'Secret key (test_sk_... or live_sk_...)', output: process.stderr })
  if (typeof answer === 'string') return answer
  throw new CommandFailed('Nothing was kept.', 'interrupted')
}
