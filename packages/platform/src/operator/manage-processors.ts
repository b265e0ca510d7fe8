import { newId } from '../ambient/ids.ts'
import { OperatorError } from '../ambient/operator-error.ts'
import type { Write } from '../call.ts'
import type { Emitter } from '../events/emit.ts'
import { commit } from '../http/commit.ts'
import { archiveProcessor, insertProcessor } from '../payments/routing/processors.ts'
import { sealProcessorSecret, sealWebhookSecret } from '../payments/processors/processor-secret.ts'
import type { ProcessorRegistry } from '../payments/processors/registry.ts'
import { stoppedProcessors, type StoppedProcessor } from '../payments/routing/refuse-simulators.ts'
import { checkName } from './check-name.ts'
import {
  checkDriver,
  checkProcessorSecret,
  checkProcessorSettings,
  checkWebhookSecret,
  type WantedSettings,
} from './check-processor.ts'
import { chooseAccount } from './choose-account.ts'
import { findProcessor, listProcessors, type ListedProcessor } from './list-processors.ts'
import type { OperatorParts } from './operator-parts.ts'

/** A processor that is wanted. `account` may be left out where there is one. */
export interface WantedProcessor {
  account?: string
  name: string
  /** The driver's name. */
  driver: string
  /** What it is spoken to with; `null` where the driver needs nothing. */
  secret: string | null
  settings: WantedSettings
}

/** What an operator does to processors. */
export interface ProcessorManagement {
  add(wanted: WantedProcessor): Promise<ListedProcessor>
  /** The oldest first, archived ones among them. `account` may be left out where there is one. */
  list(account: string | undefined): Promise<ListedProcessor[]>
  /** The processors of all accounts that no payment goes through, because there is no driver of their name. */
  stopped(): Promise<StoppedProcessor[]>
  /** Lets a processor tell of disputes and refunds by itself. A secret that was set before is replaced. */
  setWebhookSecret(id: string, secret: string | null): Promise<ListedProcessor>
  /** For good: payment flows pick it no more. One that was archived before stays as it is. */
  archive(id: string): Promise<ListedProcessor>
}

export function manageProcessors(parts: OperatorParts, registry: ProcessorRegistry): ProcessorManagement {
  const { db, environment } = parts
  const listing = { db, registry }

  async function found(id: string): Promise<ListedProcessor> {
    const processor = await findProcessor(listing, id)
    if (processor !== null) return processor
    throw new OperatorError(`There is no processor '${id}'; "tillwright processors list" shows those there are.`)
  }

  return {
    async add({ account, name, driver: driverName, secret, settings }) {
      const driver = checkDriver(driverName, registry)
      const accountId = await chooseAccount(db, account)
      const emitter = emitterOf(accountId, parts)
      const id = emitter.newId('processor')
      const checked = checkProcessorSecret(secret, driver, environment)
      const processor = {
        id,
        accountId,
        name: checkName(name),
        driver: driver.name,
        settings: checkProcessorSettings(settings, { driver, environment }),
        ...(checked !== null && { sealedSecret: sealProcessorSecret(checked, id, parts) }),
      }
      await commit([insertProcessor(processor, emitter.nowMs)], parts)
      return found(id)
    },
    async list(account) {
      return listProcessors(listing, await chooseAccount(db, account))
    },
    stopped: () => stoppedProcessors(parts, registry),
    async setWebhookSecret(id, secret) {
      const processor = await found(id)
      const checked = checkWebhookSecret(secret, checkDriver(processor.driver, registry), environment)
      await commit([setSecret(processor, sealWebhookSecret(checked, id, parts))], parts)
      return found(id)
    },
    async archive(id) {
      const processor = await found(id)
      if (processor.archivedAt !== null) return processor
      await commit(archiveProcessor(processor, emitterOf(processor.accountId, parts)), parts)
      return found(id)
    },
  }
}

function setSecret({ accountId, id }: ListedProcessor, sealed: string): Write {
  return {
    sql: 'UPDATE processors SET sealed_webhook_secret = ? WHERE account_id = ? AND id = ?',
    params: [sealed, accountId, id],
    expect: 1,
  }
}

function emitterOf(accountId: string, { clock, randomness }: OperatorParts): Emitter {
  const nowMs = clock.now()
  return { nowMs, newId: (prefix) => newId(prefix, nowMs, randomness), caller: { accountId } }
}
