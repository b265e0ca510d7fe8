import { aheadClock } from '../ambient/ahead-clock.ts'
import { systemClock, type Clock } from '../ambient/clock.ts'
import { OperatorError } from '../ambient/operator-error.ts'
import { systemRandomness } from '../ambient/randomness.ts'
import { secretBox } from '../ambient/secret-box.ts'
import type { Config } from '../config.ts'
import { localTime } from '../local/local-clock.ts'
import { localMasterKey } from '../local/master-key.ts'
import type { ProcessorDriver } from '../payments/processors/processor-driver.ts'
import { processorRegistry } from '../payments/processors/registry.ts'
import type { Database } from '../storage/database.ts'
import { DatabaseEmpty } from '../storage/migrate.ts'
import { openDatabaseBeside, openOrCreateDatabaseBeside, type DatabasePlace } from '../storage/open-database.ts'
import { checkMasterKey } from '../vault/check-master-key.ts'
import { openJweKeys } from '../vault/jwe-keys.ts'
import { explainPayments, type PaymentExplanation } from './explain-payments.ts'
import { manageAccounts, type AccountManagement } from './manage-accounts.ts'
import { manageDeliveries, type DeliveryManagement } from './manage-deliveries.ts'
import { manageKeys, type KeyManagement } from './manage-keys.ts'
import { managePayments, type PaymentManagement } from './manage-payments.ts'
import { manageProcessors, type ProcessorManagement } from './manage-processors.ts'
import { manageThreeds, type ThreedsManagement } from './manage-threeds.ts'
import { manageWebhooks, type WebhookManagement } from './manage-webhooks.ts'
import type { OperatorParts } from './operator-parts.ts'
import { replayFlows, type FlowReplays } from './replay-flows.ts'

/**
 * What whoever runs a platform does to its accounts. It works on the database itself, while the platform runs and while
 * it does not; a platform that runs acts on it within a second.
 *
 * What cannot be done is an `OperatorError`, which names the option of the command line where one is to blame.
 */
export interface Operator {
  accounts: AccountManagement
  keys: KeyManagement
  webhooks: WebhookManagement
  deliveries: DeliveryManagement
  payments: PaymentManagement & PaymentExplanation
  flows: FlowReplays
  processors: ProcessorManagement
  threeds: ThreedsManagement
  close: () => Promise<void>
}

/**
 * Opens the database that a platform of this configuration uses.
 *
 * @param processors The drivers that the platform is started with beside the built-in ones.
 * @throws {OperatorError} Where there is none yet, or one of another version, or one filled under another vault key.
 */
export async function openOperator(config: Config, processors?: readonly ProcessorDriver[]): Promise<Operator> {
  try {
    return await operator(config, await openDatabaseBeside(placeOf(config)), { processors })
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

/** Makes the vault's first key, as the platform would at its first start. */
async function bindVault(parts: OperatorParts): Promise<void> {
  await checkMasterKey(parts)
  await openJweKeys(parts)
}

function placeOf({ home, databaseUrl }: Config): DatabasePlace {
  return { folder: home, ...(databaseUrl !== undefined && { url: databaseUrl }) }
}

interface Opening {
  processors: readonly ProcessorDriver[] | undefined
  prepare?: (parts: OperatorParts) => Promise<void>
}

/** Randomness is the system's even where the platform has a seed: it would draw the ids of the platform once more. */
async function operator(
  config: Config,
  db: Database,
  { processors, prepare = checkMasterKey }: Opening,
): Promise<Operator> {
  const { environment } = config
  const randomness = systemRandomness()
  try {
    const secrets = secretBox(config.vaultKey ?? (await localMasterKey(config)), randomness)
    const parts: OperatorParts = { db, clock: await clockOf(config), randomness, secrets, environment }
    await prepare(parts)
    return {
      accounts: manageAccounts(parts),
      keys: manageKeys(parts),
      webhooks: manageWebhooks(parts),
      deliveries: manageDeliveries(parts),
      payments: { ...managePayments(parts), ...explainPayments(parts) },
      flows: replayFlows(parts),
      processors: manageProcessors(parts, processorRegistry(environment, processors)),
      threeds: manageThreeds(parts, config.clientCertHeader),
      close: () => db.close(),
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** A local platform has a clock that a developer may have moved. */
async function clockOf(config: Config): Promise<Clock> {
  if (config.environment !== 'local') return systemClock
  const { aheadMs } = await localTime(config)
  return aheadClock(systemClock, aheadMs)
}
