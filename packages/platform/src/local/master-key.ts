import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { hasKeys, type KeySetting, type Ring } from '../keys/index.ts'
import { keySettings, type PlatformKeys } from '../platform-keys.ts'
import { OperatorError, seededRandomness, systemRandomness } from '../runtime/index.ts'
import { type Database, DatabaseEmpty, openDatabaseBeside, takeHome } from '../storage/index.ts'

const files: Readonly<Record<Ring, string>> = { cards: 'vault.key', secrets: 'secrets.key' }

/**
 * The master keys of a local platform: those of its settings, or else made once and kept in the platform's folder,
 * readable by its owner alone.
 *
 * @throws {OperatorError} If a key is missing whose data is there, before anything is written.
 */
export async function localKeys(config: Config): Promise<Required<PlatformKeys>> {
  const { vaultKey, secretsKey, home } = config
  const wanted: Ring[] = [
    ...(vaultKey === undefined ? ['cards' as const] : []),
    ...(secretsKey === undefined ? ['secrets' as const] : []),
  ]
  const missing = wanted.filter((ring) => !existsSync(join(home, files[ring])))
  if (missing.length > 0) await refuseIfLost(missing, config)
  return {
    vaultKey: vaultKey ?? (await keptKey('cards', config)),
    secretsKey: secretsKey ?? (await keptKey('secrets', config)),
  }
}

/** A new key would open nothing of what is there. */
async function refuseIfLost(missing: readonly Ring[], { home, databaseUrl }: Config): Promise<void> {
  const place = { folder: home, ...(databaseUrl !== undefined && { url: databaseUrl }) }
  const db = await openDatabaseBeside(place).catch((error: unknown): Database | null => {
    if (error instanceof DatabaseEmpty) return null
    throw error
  })
  if (db === null) return
  try {
    for (const ring of missing) {
      if (!(await hasKeys(db, ring))) continue
      const lost = join(home, files[ring])
      const anew = databaseUrl === undefined ? `move the folder ${home} away` : 'name another database in DATABASE_URL'
      throw new OperatorError(
        `${lost} is missing, and the ${ring} of this database are sealed under it: put the file back from its backup, ` +
          `or name the key in ${keySettings[ring]}. Without it they cannot be read by anybody; to begin anew, ${anew}.`,
      )
    }
  } finally {
    await db.close()
  }
}

async function keptKey(ring: Ring, { home, seed }: Config): Promise<KeySetting> {
  const path = join(home, files[ring])
  const randomness = seed === undefined ? systemRandomness() : seededRandomness(`${seed} ${ring}`)
  await takeHome(home)
  try {
    await writeFile(path, Buffer.from(randomness.bytes(32)).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return { kind: 'raw', key: Buffer.from(await readFile(path, 'utf8'), 'base64') }
}
