import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config, PlatformKeys } from '../config.ts'
import { seededRandomness, systemRandomness } from '../runtime/index.ts'

/**
 * The keys of a local platform: those of its settings, or else made once and kept in the platform's folder, readable by
 * its owner alone.
 */
export async function localKeys(config: Config): Promise<PlatformKeys> {
  return {
    vaultKey: config.vaultKey ?? (await keptKey('vault', config)),
    secretsKey: config.secretsKey ?? (await keptKey('secrets', config)),
  }
}

async function keptKey(name: 'vault' | 'secrets', { home, seed }: Config): Promise<Uint8Array> {
  const randomness = seed === undefined ? systemRandomness() : seededRandomness(`${seed} ${name}`)
  const file = join(home, `${name}.key`)
  await mkdir(home, { recursive: true, mode: 0o700 })
  try {
    await writeFile(file, Buffer.from(randomness.bytes(32)).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return Buffer.from(await readFile(file, 'utf8'), 'base64')
}
