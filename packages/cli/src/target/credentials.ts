import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandFailed } from '../terminal/fail-with.ts'
import { replaceFile } from '../whole-files.ts'

/** The stored logins. */
export interface Credentials {
  /** The platform of each target: `production` -> its origin. */
  targets: Readonly<Record<string, string>>
  /** Each platform's key and default store, by origin. */
  platforms: Readonly<Record<string, { apiKey: string; storeId: string | null }>>
}

/** The path of the credentials file. Source: XDG Base Directory Specification 0.8. */
export function credentialsFile(): string {
  const { XDG_CONFIG_HOME, HOME } = process.env
  const config = XDG_CONFIG_HOME || join(HOME || homedir(), '.config')
  return join(config, 'tillwright', 'credentials.json')
}

/**
 * Reads the stored credentials; empty without a file.
 *
 * @throws {CommandFailed} If the file is invalid.
 */
export async function readCredentials(): Promise<Credentials> {
  const file = credentialsFile()
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CommandFailed(`${file} cannot be read (${error.code}); check its permissions.`)
  })
  if (text === null) return { targets: {}, platforms: {} }
  try {
    const { targets, platforms } = JSON.parse(text)
    if (typeof targets === 'object' && typeof platforms === 'object') return { targets, platforms }
  } catch {
    // reported below, without the text, which contains keys
  }
  throw new CommandFailed(`${file} is damaged; delete it and log in again.`)
}

/** Stores credentials, readable by their owner only. Atomic: readers see the old or the new ones. */
export async function writeCredentials(credentials: Credentials): Promise<void> {
  const file = credentialsFile()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, `${JSON.stringify(credentials, null, 2)}\n`, 0o600)
}
