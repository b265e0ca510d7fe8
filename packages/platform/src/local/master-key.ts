import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { seededRandomness, systemRandomness } from '../runtime/index.ts'

/** The local vault's key: made once and kept in the platform's folder, readable by its owner alone. */
export async function localMasterKey({ home, seed }: Pick<Config, 'home' | 'seed'>): Promise<Uint8Array> {
  const randomness = seed === undefined ? systemRandomness() : seededRandomness(`${seed} vault`)
  const file = join(home, 'vault.key')
  await mkdir(home, { recursive: true, mode: 0o700 })
  try {
    await writeFile(file, Buffer.from(randomness.bytes(32)).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return Buffer.from(await readFile(file, 'utf8'), 'base64')
}
