import { sealedStoreSecrets } from './catalog/index.ts'
import type { Config } from './config.ts'
import { sealedWebhookSecrets } from './events/index.ts'
import { sealedHookSecrets } from './hooks/index.ts'
import {
  type KeyRing,
  type KeySetting,
  type KeyUses,
  openKeyRing,
  openMasterKey,
  type Ring,
  type SealedColumn,
  startResealing,
} from './keys/index.ts'
import { sealedProcessorSecret, sealedWebhookSecret } from './processors/index.ts'
import type { Services } from './request-context.ts'
import { asWarnings, type Clock, type ConfigError, failuresOf, type Randomness, wrongSetting } from './runtime/index.ts'
import type { Database } from './storage/index.ts'
import { sealedCards, sealedWalletKeys } from './vault/index.ts'

/** The master keys that a platform cannot start without. */
export interface PlatformKeys {
  /** `undefined` in a process without the role `vault`. */
  vaultKey: KeySetting | undefined
  secretsKey: KeySetting
}

/** The settings that name the master keys of the rings. */
export const keySettings: Readonly<Record<Ring, string>> = {
  cards: 'TILLWRIGHT_VAULT_KEY',
  secrets: 'TILLWRIGHT_SECRETS_KEY',
}

/** Every column that holds sealed values for longer than a former data key is kept. */
export const sealedColumns: readonly SealedColumn[] = [
  ...sealedCards,
  ...sealedWalletKeys,
  ...sealedStoreSecrets,
  ...sealedWebhookSecrets,
  ...sealedHookSecrets,
  sealedProcessorSecret,
  sealedWebhookSecret,
]

/**
 * The configuration with both of its keys.
 *
 * @throws {ConfigError} If one is missing, as it may be in `local`.
 */
export function withKeys(config: Config): Config & PlatformKeys {
  const { vaultKey, secretsKey } = config
  if (vaultKey === undefined && config.roles.has('vault')) throw missing(keySettings.cards)
  if (secretsKey === undefined) throw missing(keySettings.secrets)
  return { ...config, vaultKey, secretsKey }
}

function missing(name: string): ConfigError {
  return wrongSetting(name, 'is required; make one with `openssl rand -base64 32` and keep it safe.')
}

/** Both rings of a platform, open. */
export interface Rings {
  /** `null` in a process without the role `vault`. */
  cards: KeyRing | null
  secrets: KeyRing
  all: readonly KeyRing[]
  /** Every use of a key since this process has started. */
  uses(): KeyUses[]
  close(): Promise<void>
}

interface Place {
  db: Database
  clock: Clock
  randomness: Randomness
  /** Told of looks for new data keys that fail. */
  log?: Services['log']
}

/**
 * Opens both rings with their master keys; in an empty database, makes their first data keys.
 *
 * @throws {ConfigError} Names the setting that is wrong.
 * @throws {KeeperFailed} If the keeper of a master key refuses, or does not answer.
 */
export async function openRings({ vaultKey, secretsKey }: PlatformKeys, { log, ...services }: Place): Promise<Rings> {
  const place = { ...services, ...(log !== undefined && { failures: failuresOf(log, lookFailed) }) }
  const vaultMaster = vaultKey === undefined ? null : await openMasterKey(vaultKey, keySettings.cards)
  const secretsMaster = await openMasterKey(secretsKey, keySettings.secrets)
  if (vaultMaster?.id === secretsMaster.id) {
    throw wrongSetting(
      keySettings.secrets,
      `is the same key as ${keySettings.cards}, so whoever reads secrets could read cards; use another one.`,
    )
  }
  const cards =
    vaultMaster === null
      ? null
      : await openKeyRing({ ...place, ring: 'cards', master: vaultMaster, setting: keySettings.cards })
  const opening = { ...place, ring: 'secrets', master: secretsMaster, setting: keySettings.secrets } as const
  const secrets = await openKeyRing(opening).catch(async (error: unknown) => {
    await cards?.close()
    throw error
  })
  const all = [cards, secrets].filter((ring) => ring !== null)
  return {
    cards,
    secrets,
    all,
    uses: () => all.flatMap((ring) => ring.uses()),
    close: async () => void (await Promise.all(all.map((ring) => ring.close()))),
  }
}

const lookFailed = {
  worker: 'keys',
  message: 'new data keys could not be read; what other processes seal under one cannot be opened here until they are',
}

/**
 * Starts the worker that seals rows again after a key was replaced.
 *
 * @returns Stops it.
 */
export function startRotation(
  rings: Rings,
  { db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>,
): () => Promise<void> {
  const message = 'rows could not be sealed again under a new key; trying again'
  const failures = failuresOf(asWarnings(log), { worker: 'resealing', message })
  return startResealing({ db, clock, rings: rings.all, columns: sealedColumns, ...failures })
}
