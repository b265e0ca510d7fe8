import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandFailed } from '../terminal/fail-with.ts'

/** What is kept of the platforms that somebody has logged in to. */
export interface Credentials {
  /** Which platform each target is: `production` -> its origin. */
  targets: Readonly<Record<string, string>>
  /** Each platform's key, and the store to work on unless another is named, by origin. */
  platforms: Readonly<Record<string, { apiKey: string; storeId: string | null }>>
}

/** Where they are kept. Source: XDG Base Directory Specification 0.8. */
export function credentialsFile(env: NodeJS.ProcessEnv = process.env): string {
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  return join(config, 'tillwright', 'credentials.json')
}

/**
 * The credentials that are kept; none without a file.
 *
 * @throws {CommandFailed} When the file is not ours.
 */
export async function readCredentials(file = credentialsFile()): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CommandFailed(`${file} cannot be read (${error.code}); see who may read it.`)
  })
  if (text === null) return { targets: {}, platforms: {} }
  try {
    const { targets, platforms } = JSON.parse(text)
    if (typeof targets === 'object' && typeof platforms === 'object') return { targets, platforms }
  } catch {
    // told below, without the text, which has keys in it
  }
  throw new CommandFailed(`${file} is damaged; delete it and log in again.`)
}

/** Keeps them, readable by their owner alone; whoever reads finds the former or the new ones, never half of them. */
export async function writeCredentials(credentials: Credentials, file = credentialsFile()): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}
