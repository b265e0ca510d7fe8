import type { Config } from '../config.ts'
import { sharedClock } from '../cluster/index.ts'
import { localKeys, localTime } from '../local/index.ts'
import { openRings, withKeys } from '../platform-keys.ts'
import { type ProcessorDriver, processorRegistry } from '../processors/index.ts'
import { aheadClock, type Clock, OperatorError, systemClock, systemRandomness } from '../runtime/index.ts'
import {
  type Database,
  DatabaseEmpty,
  openDatabaseBeside,
  openOrCreateDatabaseBeside,
  placeOf,
} from '../storage/index.ts'
import { type CardKeys, openJweKeys } from '../vault/index.ts'
import { type AccountManagement, manageAccounts } from './accounts.ts'
import { type AuditManagement, manageAudit } from './audit.ts'
import { type ErasureManagement, manageErasures } from './backup/later-erasures.ts'
import { type CardManagement, manageCards } from './cards.ts'
import { type DeliveryManagement, manageDeliveries } from './deliveries.ts'
import { type EncryptionManagement, manageEncryption } from './encryption.ts'
import { type FlowReplays, replayFlows } from './flows.ts'
import { type KeyManagement, manageKeys } from './keys.ts'
import { manageMembers, type MemberManagement } from './members.ts'
import type { OperatorServices } from './operator-services.ts'
import { explainPayments, managePayments, type PaymentExplanation, type PaymentManagement } from './payments.ts'
import { manageProcessors, type ProcessorManagement } from './processors.ts'
import { type ProductionChecks, productionChecks } from './production.ts'
import { manageThreeds, type ThreedsManagement } from './threeds.ts'
import { manageWallets, type WalletManagement } from './wallets.ts'
import { manageWebhooks, type WebhookManagement } from './webhooks.ts'

/**
 * Manages the accounts of a platform. Works on the database directly, whether or not the platform is running; a running
 * platform picks changes up within a second.
 *
 * Failures are `OperatorError`s, which name the command-line option at fault, if any.
 */
export interface Operator {
  accounts: AccountManagement
  audit: AuditManagement
  keys: KeyManagement
  members: MemberManagement
  webhooks: WebhookManagement
  deliveries: DeliveryManagement
  payments: PaymentManagement & PaymentExplanation
  flows: FlowReplays
  processors: ProcessorManagement
  threeds: ThreedsManagement
  wallets: WalletManagement
  encryption: EncryptionManagement
  cards: CardManagement
  erasures: ErasureManagement
  production: ProductionChecks
  close: () => Promise<void>
}

/**
 * Opens the database of a platform with this configuration.
 *
 * @param processors Additional drivers that the platform is started with.
 * @throws {OperatorError} If the database does not exist, has another version, or uses another vault key.
 */
export async function openOperator(
  config: Config,
  processors?: readonly ProcessorDriver[],
  clock?: Clock,
): Promise<Operator> {
  try {
    return await operator(config, await openDatabaseBeside(placeOf(config)), { processors, clock })
  } catch (error) {
    if (!(error instanceof DatabaseEmpty)) throw error
    throw new OperatorError(
      `${error.message} Make the first account with "tillwright accounts create --name NAME", or name the platform's ` +
        'database with DATABASE_URL or TILLWRIGHT_HOME.',
      { cause: error },
    )
  }
}

/**
 * The same for the first command of all: a database that is missing or empty is set up, and from then on belongs to this
 * vault key, so that nothing is sealed under another one before the platform starts.
 */
export async function setUpOperator(config: Config, processors?: readonly ProcessorDriver[]): Promise<Operator> {
  return operator(config, await openOrCreateDatabaseBeside(placeOf(config)), { processors, prepare: bindVault })
}

/** Creates the vault's first key, as the platform would at its first start. */
async function bindVault(services: OperatorServices & CardKeys): Promise<void> {
  await openJweKeys(services)
}

interface Opening {
  processors: readonly ProcessorDriver[] | undefined
  /** The machine's unless given; a local platform's may have been moved. */
  clock?: Clock | undefined
  prepare?: (services: OperatorServices & CardKeys) => Promise<void>
}

/** Randomness is the system's even where the platform has a seed: it would draw the ids of the platform once more. */
async function operator(
  config: Config,
  db: Database,
  { processors, clock: given, prepare = async () => {} }: Opening,
): Promise<Operator> {
  const { environment } = config
  const randomness = systemRandomness()
  try {
    const keys = environment === 'local' ? await localKeys(config) : withKeys(config)
    const clock = given ?? (await clockOf(config, db))
    const rings = await openRings(keys, { db, clock, randomness })
    const services: OperatorServices = { db, clock, randomness, secrets: rings.secrets.box, environment }
    // With the settings of a process without the role vault, cards are out of reach.
    if (rings.cards !== null) {
      await prepare({ ...services, cardKeys: rings.cards.box }).catch(async (error: unknown) => {
        await rings.close()
        throw error
      })
    }
    const registry = processorRegistry(environment, processors)
    return {
      accounts: manageAccounts(services),
      audit: manageAudit(services),
      keys: manageKeys(services),
      members: manageMembers(services, config.apiUrl ?? `http://${config.host}:${config.port}`),
      webhooks: manageWebhooks(services),
      deliveries: manageDeliveries(services),
      payments: { ...managePayments(services), ...explainPayments(services) },
      flows: replayFlows(services),
      processors: manageProcessors(services, registry),
      threeds: manageThreeds(services, config.clientCertHeader),
      wallets: manageWallets(services),
      production: productionChecks(services, { config, registry }),
      encryption: manageEncryption(services, rings),
      cards: manageCards(services, rings.cards?.box ?? null),
      erasures: manageErasures(services),
      close: async () => {
        await rings.close()
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** The time that the processes share. A local platform has a clock that a developer may have moved. */
async function clockOf(config: Config, db: Database): Promise<Clock> {
  if (config.environment !== 'local') return sharedClock(db)
  const { aheadMs } = await localTime(config)
  return aheadClock(systemClock, aheadMs)
}
