import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openMasterKey } from '../../keys/index.ts'
import { localKeys } from '../../local/index.ts'
import { keySettings, openRings, type PlatformKeys, withKeys } from '../../platform-keys.ts'
import { OperatorError, systemClock, systemRandomness } from '../../runtime/index.ts'
import { type DatabasePlace, openDatabase, rowReader, text } from '../../storage/index.ts'
import { openCardVault, readCard } from '../../vault/index.ts'
import { BackupUnusable, type Manifest } from './manifest.ts'

/**
 * The master keys of this configuration, if they are those under which a backup is sealed. Asked before anything is restored:
 * a database without its keys would only be in the way of the next try.
 *
 * @throws {OperatorError} If one is missing. {BackupUnusable} If one is another, with the ids of those that are needed.
 */
export async function keysFor(manifest: Manifest, config: Config): Promise<PlatformKeys> {
  const keys = config.environment === 'local' ? await keptKeys(config) : withKeys(config)
  if (keys.vaultKey === undefined) {
    throw new OperatorError(
      `${keySettings.cards}: is needed to try a card; run this with the settings of a process with the role vault.`,
    )
  }
  const needed = new Set(manifest.keys.flatMap(({ ids }) => ids))
  for (const [setting, key] of [
    [keySettings.cards, keys.vaultKey],
    [keySettings.secrets, keys.secretsKey],
  ] as const) {
    const { id } = await openMasterKey(key, setting)
    if (needed.size === 0 || needed.has(id)) continue
    throw new BackupUnusable(
      `${setting}: the backup is sealed under the master keys ${[...needed].join(' and ')}, and the one given is ${id} ` +
        '(the first 8 hex digits of its SHA-256). Nothing was restored; name the right key.',
    )
  }
  return keys
}

/** A restore makes no key: one that nothing was encrypted under would only look like the right one. */
async function keptKeys(config: Config): Promise<PlatformKeys> {
  for (const [file, setting, lost] of [
    ['vault.key', config.vaultKey, 'no card can be read'],
    ['secrets.key', config.secretsKey, 'no other secret can be read'],
  ] as const) {
    if (setting !== undefined || existsSync(join(config.home, file))) continue
    throw new OperatorError(
      `${join(config.home, file)} is missing, without which ${lost}. Nothing was restored; copy it from the former folder, ` +
        'or from where you keep it, and try again.',
    )
  }
  return localKeys(config)
}

const readCards = rowReader({ account_id: text, id: text })
/** Of a card that was purged, or whose customer was erased, there is nothing left to open. */
const newestCard = `SELECT account_id, id FROM cards WHERE sealed_card <> '' ORDER BY created_at DESC LIMIT 1`

/**
 * Brings a restored database to the schema of this version, as a start would, and opens its newest card.
 *
 * @returns `null` if there is none.
 * @throws {WrongMasterKey}
 */
export async function openACard(place: DatabasePlace, keys: PlatformKeys): Promise<boolean | null> {
  const db = await openDatabase(place)
  try {
    const randomness = systemRandomness()
    const rings = await openRings(keys, { db, clock: systemClock, randomness })
    await rings.close()
    if (rings.cards === null) return null
    const [card] = readCards(await db.read(newestCard, []))
    if (card === undefined) return null
    await readCard(card.id, card.account_id, { db, cardVault: openCardVault(rings.cards.box, randomness) })
    return true
  } finally {
    await db.close()
  }
}
