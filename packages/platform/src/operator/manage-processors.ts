import type { Environment } from '@tillwright/contract'
import { newId } from '../ambient/ids.ts'
import { OperatorError } from '../ambient/operator-error.ts'
import type { Write } from '../call.ts'
import type { Emitter } from '../events/emit.ts'
import { commit } from '../http/commit.ts'
import { archiveProcessor, insertProcessor, type DriverName } from '../payments/routing/processors.ts'
import { sealProcessorSecret, sealWebhookSecret } from '../payments/processors/processor-secret.ts'
import type { ProcessorSettings } from '../payments/processors/processor-settings.ts'
import type { Database } from '../storage/database.ts'
import { checkName } from './check-name.ts'
import { checkProcessorSecret } from './check-processor-secret.ts'
import { checkProcessorSettings } from './check-processor-settings.ts'
import { checkWebhookSecret } from './check-webhook-secret.ts'
import { chooseAccount } from './choose-account.ts'
import { findProcessor, listProcessors, type ListedProcessor } from './list-processors.ts'
import type { OperatorParts } from './operator-parts.ts'

/** A processor that is wanted. `account` may be left out where there is one. */
export interface WantedProcessor {
  account?: string
  name: string
  driver: DriverName
  /** What it is spoken to with; `null` for the simulator, which needs none. */
  secret: string | null
  settings: ProcessorSettings
}

/** What an operator does to processors. */
export interface ProcessorManagement {
  add(wanted: WantedProcessor): Promise<ListedProcessor>
  /** The oldest first, archived ones among them. `account` may be left out where there is one. */
  list(account: string | undefined): Promise<ListedProcessor[]>
  /** Lets a processor of Stripe's tell of disputes and refunds by itself. One that was set before is replaced. */
  setWebhookSecret(id: string, secret: string | null): Promise<ListedProcessor>
  /** For good: payment flows pick it no more. One that was archived before stays as it is. */
  archive(id: string): Promise<ListedProcessor>
}

export function manageProcessors(parts: OperatorParts): ProcessorManagement {
  const { db, environment } = parts
  return {
    async add({ account, name, driver, secret, settings }) {
      refuseSimulator(driver, environment)
      const accountId = await chooseAccount(db, account)
      const emitter = emitterOf(accountId, parts)
      const id = emitter.newId('processor')
      const checked = checkProcessorSecret(secret, driver, environment)
      const processor = {
        id,
        accountId,
        name: checkName(name),
        driver,
        settings: checkProcessorSettings(settings, environment),
        ...(checked !== null && { sealedSecret: sealProcessorSecret(checked, id, parts) }),
      }
      await commit([insertProcessor(processor, emitter.nowMs)], parts)
      return found(id, db)
    },
    async list(account) {
      return listProcessors(db, await chooseAccount(db, account))
    },
    async setWebhookSecret(id, secret) {
      const processor = await found(id, db)
      const checked = checkWebhookSecret(secret, processor.driver)
      await commit([setSecret(processor, sealWebhookSecret(checked, id, parts))], parts)
      return found(id, db)
    },
    async archive(id) {
      const processor = await found(id, db)
      if (processor.archivedAt !== null) return processor
      await commit(archiveProcessor(processor, emitterOf(processor.accountId, parts)), parts)
      return found(id, db)
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

/** Production does not start with a simulated processor in a live flow, so it does not get one in the first place. */
function refuseSimulator(driver: DriverName, environment: Environment): void {
  if (driver !== 'simulator' || environment !== 'production') return
  throw new OperatorError('--driver: the simulator moves no money and is not to be had in production; name another.')
}

async function found(id: string, db: Database): Promise<ListedProcessor> {
  const processor = await findProcessor(db, id)
  if (processor !== null) return processor
  throw new OperatorError(`There is no processor '${id}'; "tillwright processors list" shows those there are.`)
}

function emitterOf(accountId: string, { clock, randomness }: OperatorParts): Emitter {
  const nowMs = clock.now()
  return { nowMs, newId: (prefix) => newId(prefix, nowMs, randomness), caller: { accountId } }
}
