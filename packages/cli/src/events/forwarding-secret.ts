import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { credentialsFile } from '../target/credentials.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

const SEED_BYTES = 32

/** The file from which this machine's secrets for forwarding are made, beside the credentials. */
export function forwardingSeedFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(dirname(credentialsFile(env)), 'forwarding-seed')
}

/**
 * The secret that signs what this machine forwards for an account: `whsec_...`, the same at every start. It is made of a
 * seed that is drawn once and kept for its owner alone; another machine has another one.
 *
 * @throws {CommandFailed} When the seed cannot be kept, or is not ours.
 */
export async function forwardingSecret(accountId: string): Promise<string> {
  const seed = await keptSeed(forwardingSeedFile())
  const secret = hkdfSync('sha256', seed, new Uint8Array(), `tillwright forwarding ${accountId}`, SEED_BYTES)
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

async function keptSeed(file: string): Promise<Buffer> {
  const kept = await readSeed(file)
  if (kept !== null) return kept
  const seed = randomBytes(SEED_BYTES)
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, seed.toString('base64'), { mode: 0o600, flag: 'wx' })
    return seed
  } catch (error) {
    // Another command was first, or nobody may write here.
    const theirs = await readSeed(file)
    if (theirs !== null) return theirs
    throw new CommandFailed(`${file} cannot be written (${codeOf(error)}); see who may write there.`)
  }
}

async function readSeed(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw new CommandFailed(`${file} cannot be read (${codeOf(error)}); see who may read it.`)
  })
  if (text === null) return null
  const seed = Buffer.from(text, 'base64')
  if (seed.length === SEED_BYTES) return seed
  throw new CommandFailed(`${file} is damaged; delete it, and give your receiver the secret that is printed then.`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
