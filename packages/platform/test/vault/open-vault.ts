import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { joinCluster } from '../../src/cluster/membership.ts'
import { commit } from '../../src/http/operations/commit.ts'
import type { Caller, CallHook, RequestContext, Services, Write } from '../../src/request-context.ts'
import { manualClock, type ManualClock } from '../../src/runtime/clock.ts'
import { seededRandomness } from '../../src/runtime/randomness.ts'
import { secretBox } from '../../src/runtime/secret-box.ts'
import type { Row } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import { noTelemetry } from '../../src/telemetry/telemetry.ts'
import { type CardKeys, openCardVault } from '../../src/vault/card-vault.ts'
import { keyCall } from '../key-call.ts'

/** The origin of the shop whose publishable key the test calls carry. */
export const SHOP_ORIGIN = 'https://shop.example'

/** Environment of a test of the vault: a database of its own, a manual clock, and one seed. */
export interface TestVault {
  services: Services & CardKeys
  clock: ManualClock
  /** The folder of the database's files. */
  folder: string
  /** Everything logged so far. */
  logged: string[]
  /** A request at the clock's time, by the shop's publishable key unless `caller` says otherwise. */
  call(caller?: Partial<Caller>): RequestContext
  /** Commits what a handler answered, and throws as the platform would when it is refused. */
  commit(writes?: readonly Write[]): Promise<readonly (readonly Row[])[]>
}

/** Opens one that is gone when the test is over. */
export async function openVault(): Promise<TestVault> {
  const folder = await mkdtemp(join(tmpdir(), 'vault-'))
  const db = await openSqlite({ file: join(folder, 'tillwright.db') })
  onTestFinished(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })
  await migrate(db, migrations)
  const clock = manualClock(Date.UTC(2030, 0, 1))
  const randomness = seededRandomness('vault')
  const secrets = secretBox(new Uint8Array(32).fill(1), randomness)
  const logged: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) })
  const cardKeys = secretBox(new Uint8Array(32).fill(2), randomness)
  const cardVault = openCardVault(cardKeys, randomness)
  const cluster = await joinCluster({ db, clock, log })
  onTestFinished(() => cluster.leave())
  const environment = 'local' as const
  const telemetry = noTelemetry
  const callHook: CallHook = async () => ({ failure: 'unreachable', detail: 'The vault asks nobody.' })
  const of = { db, clock, randomness, secrets, cardKeys, cardVault, environment, log, telemetry, cluster }
  const services = { ...of, callHook }
  return {
    services,
    clock,
    folder,
    logged,
    call: (caller) => ({
      ...keyCall(services, { ...shop, ...caller }),
      begin: (writes) => commit(writes, services),
    }),
    commit: (writes = []) => commit(writes, services),
  }
}

const shop = {
  accountId: 'acc_1',
  kind: 'publishable',
  storeId: 'store_1',
  allowedOrigins: [SHOP_ORIGIN],
} as const
