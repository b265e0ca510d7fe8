import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Randomness } from '../ambient/randomness.ts'

/** The local vault's key: made once and kept in the platform's folder, readable by its owner alone. */
export async function localMasterKey(folder: string, randomness: Randomness): Promise<Uint8Array> {
  const file = join(folder, 'vault.key')
  try {
    await writeFile(file, Buffer.from(randomness.bytes(32)).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return Buffer.from(await readFile(file, 'utf8'), 'base64')
}
