import type { Config } from '../config.ts'
import { PLATFORM } from '../audit/index.ts'
import { commit } from '../http/index.ts'
import {
  addMasterKey,
  combineShares,
  endReplacement,
  openMasterKey,
  readHeldKey,
  readKeySetting,
  type Ring,
  rings as allRings,
  type RingStatus,
  ringStatus,
  rotateDataKey,
  splitKey,
  writePrivateFile,
  writeShares,
} from '../keys/index.ts'
import { localKeys } from '../local/index.ts'
import { keySettings, type Rings, sealedColumns, withKeys } from '../platform-keys.ts'
import { OperatorError } from '../runtime/index.ts'
import { type OperatorServices, recordCommand } from './operator-services.ts'

/** Result of a rotation. */
export interface Rotated {
  ring: Ring
  /** The new data key, or `null` where the master key was replaced. */
  dataKey: number | null
  /** The master keys that encrypt the data keys now. */
  masterKeys: string[]
}

/** Operator commands for encryption keys. */
export interface EncryptionManagement {
  /** The keys of both rings, their ages, uses, and how far rows have been sealed under the newest. */
  status(): Promise<RingStatus[]>
  /** Makes a new data key; running processes use it within ten seconds and seal all rows again. */
  rotate(ring: Ring): Promise<Rotated>
  /**
   * Encrypts the data keys under another master key too: processes start with either, until `finish`.
   *
   * @param to A setting such as `file:/path`; never a key, which would be seen in the list of processes.
   */
  replaceMaster(ring: Ring, to: string): Promise<Rotated>
  /** Ends it with the new master key, which the settings have to name: the former one opens nothing any more. */
  finish(ring: Ring): Promise<Rotated>
  /** Takes it back: the settings have to name the former one, and the new one opens nothing any more. */
  undo(ring: Ring): Promise<Rotated>
}

/** @param rings Both rings, open under the master keys of the settings. */
export function manageEncryption(services: OperatorServices, rings: Rings): EncryptionManagement {
  const { db, clock, randomness } = services
  const status = (ring: Ring) => ringStatus(ring, { db, nowMs: clock.now(), columns: sealedColumns })
  const rotating = (ring: Ring) => {
    const open = rings[ring]
    if (open !== null) return { db, clock, randomness, ring, master: open.master }
    throw new OperatorError(
      `${keySettings[ring]}: is needed for this; run it with the settings of a process that has it.`,
    )
  }
  async function rotated(ring: Ring, dataKey: number | null): Promise<Rotated> {
    const { masterKeys } = await status(ring)
    return { ring, dataKey, masterKeys: masterKeys.map(({ id, place }) => `${id} (${place})`) }
  }
  /** After the change and not with it: the transactions that change keys take no other statements. */
  async function note(operation: string, ring: Ring, after: object): Promise<void> {
    const resource = { type: 'encryptionKeys', id: ring }
    await commit(recordCommand({ accountId: PLATFORM, operation, resource, after }, services), services)
  }
  return {
    status: () => Promise.all(allRings.map(status)),
    async rotate(ring) {
      const dataKey = await rotateDataKey(rotating(ring))
      await note('encryption.rotate', ring, { dataKey })
      return rotated(ring, dataKey)
    },
    async replaceMaster(ring, to) {
      const next = await openMasterKey(settingOf(to), '--to')
      const other = rings[ring === 'cards' ? 'secrets' : 'cards']
      if (next.id === other?.master.id)
        throw new OperatorError('--to: is the master key of the other ring; whoever reads secrets could read cards.')
      await addMasterKey({ ...rotating(ring), next })
      await note('encryption.replaceMaster', ring, { masterKeyId: next.id })
      return rotated(ring, null)
    },
    async finish(ring) {
      await endReplacement({ ...rotating(ring), stays: 'new' })
      await note('encryption.finish', ring, {})
      return rotated(ring, null)
    },
    async undo(ring) {
      await endReplacement({ ...rotating(ring), stays: 'former' })
      await note('encryption.undo', ring, {})
      return rotated(ring, null)
    },
  }
}

function settingOf(to: string) {
  try {
    const setting = readKeySetting(to)
    if (setting.kind !== 'raw') return setting
  } catch (error) {
    if (error instanceof OperatorError) throw new OperatorError(`--to: ${error.message}`, { cause: error })
    throw error
  }
  throw new OperatorError('--to: must name where the key is, such as file:/path; a key itself would be seen by others.')
}

/**
 * Splits the master key of the settings into shares, one file each.
 *
 * @returns The files.
 */
export async function splitMasterKey(
  config: Config,
  { ring, into }: { ring: Ring; into: readonly string[] },
): Promise<readonly string[]> {
  const keys = config.environment === 'local' ? await localKeys(config) : withKeys(config)
  const setting = ring === 'cards' ? keys.vaultKey : keys.secretsKey
  if (setting === undefined) throw new OperatorError(`${keySettings[ring]}: is needed, to be split.`)
  const key = await readHeldKey(setting)
  await writeShares(splitKey(key, into.length), into)
  return into
}

/**
 * Puts a master key together from its shares, and writes it to a file that only its owner can read.
 *
 * @returns The file.
 */
export async function combineKeyShares(shares: readonly string[], into: string): Promise<string> {
  const key = await combineShares(shares)
  await writePrivateFile(into, `${key.toString('base64')}\n`)
  return into
}
