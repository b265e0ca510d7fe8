import { type Contract, LIVE_PROCESSORS_MAX, type Payment, type TestCardPreset } from '@tillwright/contract'
import { emit, type Emitter } from '../events/index.ts'
import type { Handlers, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { type Authorisation, declined, type PresentedCard } from './authorisation.ts'
import type { Driver } from './driver.ts'
import type { ProcessorSettings } from './settings.ts'
import { processorsTable, type RawProcessorSettings } from './tables.ts'

/** A processor of an account, as its operator adds it. `driver` names the code that speaks to it. */
export interface NewProcessor {
  id: string
  accountId: string
  name: string
  driver: string
  /** By default it takes every currency and card, and its buyers are not authenticated. */
  settings?: Readonly<Record<string, unknown>> & ProcessorSettings
  /** The sealed API secret. */
  sealedSecret?: string
  /** The sealed secret of its events. */
  sealedWebhookSecret?: string
}

/** Source: reference, "POST /processors/delete". */
export const archiveProcessors: Handlers<Contract['processors']>['delete'] = async (
  { body: { processorIds } },
  context,
) => {
  const known = await readProcessors(context.caller.accountId, context.services.db)
  for (const [index, id] of processorIds.entries()) {
    if (!known.has(id)) throw missing('processor', id, `processorIds[${index}]`)
  }
  const asked = [...new Set(processorIds)]
  const live = asked.flatMap((id) => known.get(id) ?? []).filter(({ isLive }) => isLive)
  return { body: { processors: asked }, writes: live.flatMap((processor) => archiveProcessor(processor, context)) }
}

/** The statement that records a processor. */
export function insertProcessor(processor: NewProcessor, nowMs: number): Write {
  const { accountId, id, name, driver, settings, sealedSecret, sealedWebhookSecret } = processor
  return {
    sql: `INSERT INTO processors
      (account_id, id, name, driver, config, sealed_secret, sealed_webhook_secret, updated_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      accountId,
      id,
      name,
      driver,
      settings === undefined ? null : JSON.stringify(settings),
      sealedSecret ?? null,
      sealedWebhookSecret ?? null,
      nowMs,
      nowMs,
    ],
  }
}

/** The ids of the account's processors that are not archived. */
export async function liveProcessors(accountId: string, db: Database): Promise<Set<string>> {
  const rows = await db.read('SELECT id FROM processors WHERE account_id = ? AND archived_at IS NULL', [accountId])
  return new Set(readIds(rows).map(({ id }) => id))
}

const readIds = rowReader(pick(processorsTable, 'id'))

/** @throws {ApiError} `state_conflict` when the account has as many processors as are possible. */
export async function requireRoomForProcessor(accountId: string, db: Database): Promise<void> {
  if ((await liveProcessors(accountId, db)).size < LIVE_PROCESSORS_MAX) return
  const message = `The account has ${LIVE_PROCESSORS_MAX} processors, the most that are possible; archive one first.`
  throw new ApiError('state_conflict', message)
}

/** The operator's settings for each of the account's processors that are not archived, by id. */
export async function liveConfigs(accountId: string, db: Database): Promise<Map<string, RawProcessorSettings | null>> {
  const rows = await db.read('SELECT id, config FROM processors WHERE account_id = ? AND archived_at IS NULL', [
    accountId,
  ])
  return new Map(readConfigs(rows).map(({ id, config }) => [id, config]))
}

const readConfigs = rowReader(pick(processorsTable, 'id', 'config'))

/** The account's processors that are not archived, by id: the name of the driver, and what the operator has said of it. */
export async function liveDrivers(
  accountId: string,
  db: Database,
): Promise<Map<string, { driver: string; config: RawProcessorSettings | null }>> {
  const rows = await db.read('SELECT id, driver, config FROM processors WHERE account_id = ? AND archived_at IS NULL', [
    accountId,
  ])
  return new Map(readDrivers(rows).map(({ id, driver, config }) => [id, { driver, config }]))
}

const readDrivers = rowReader(pick(processorsTable, 'id', 'driver', 'config'))

/** Replaces the secret that a processor signs its events with. */
export function replaceWebhookSecret(
  { accountId, id }: Pick<NewProcessor, 'accountId' | 'id'>,
  sealed: string,
  nowMs: number,
): Write {
  return {
    sql: `UPDATE processors SET sealed_webhook_secret = ?, revision = revision + 1, updated_at = ?
      WHERE account_id = ? AND id = ?`,
    params: [sealed, nowMs, accountId, id],
    expect: 1,
  }
}

interface KnownProcessor {
  id: string
  name: string
  isLive: boolean
}

async function readProcessors(accountId: string, db: Database): Promise<Map<string, KnownProcessor>> {
  const rows = await db.read('SELECT id, name, archived_at FROM processors WHERE account_id = ?', [accountId])
  return new Map(
    readNames(rows).map(({ id, name, archived_at: archivedAt }) => [id, { id, name, isLive: archivedAt === null }]),
  )
}

const readNames = rowReader(pick(processorsTable, 'id', 'name', 'archived_at'))

/** Archives a processor and emits its event. Of two concurrent calls, the second retries and finds it archived. */
export function archiveProcessor({ id, name }: Pick<NewProcessor, 'id' | 'name'>, emitter: Emitter): Write[] {
  return [
    {
      sql: `UPDATE processors SET archived_at = ?, revision = revision + 1, updated_at = ?
        WHERE account_id = ? AND id = ? AND archived_at IS NULL`,
      params: [emitter.nowMs, emitter.nowMs, emitter.caller.accountId, id],
      expect: 1,
    },
    ...emit('s_processor_archived', { properties: { processorId: id, name } }, emitter),
  ]
}

/**
 * Answers for the payments of previews where no simulator is, which is in production: a preview never reaches a real
 * processor. It keeps no ledger, because no money moves: a preset decides, and any other card is charged.
 */
export const previewDriver: Driver = {
  async authorise({ attemptId, method, capture, threeds }) {
    const reference = referenceOf(attemptId)
    switch (numberOf(method)) {
      case null:
        break
      case presetCards.network1_declined:
        return declined('generic_decline', { reference })
      case presetCards.network1_insufficient:
        return declined('insufficient_funds', { reference })
      case presetCards.network1_3ds:
        if (threeds === null) return { outcome: 'threeds_required', reference }
    }
    return capture === 'now' ? { outcome: 'succeeded', reference } : { outcome: 'authorized', reference }
  },
  capture: async ({ id }) => ({ outcome: 'succeeded', reference: referenceOf(id) }),
  refund: async ({ id }) => ({ outcome: 'succeeded', reference: referenceOf(id) }),
  void: async ({ id }) => ({ outcome: 'succeeded', reference: referenceOf(id) }),
  query: async () => ({ outcome: 'not_found' }),
}

function referenceOf(id: string): string {
  return `preview_${id}`
}

/** The test card that stands for each preset. */
const presetCards = {
  network1_success: '4242424242424242',
  network2_success: '5555555555554444',
  network3_success: '378282246310005',
  network1_declined: '4000000000000002',
  network1_insufficient: '4000000000009995',
  network1_3ds: '4000002500003155',
} as const satisfies Record<TestCardPreset, string>

/** The card that a simulated processor is shown: that of the preview's preset, whatever card was typed. */
export function presetCard(preview: Payment['preview'], card: PresentedCard): PresentedCard {
  const preset = preview?.testCardPreset ?? null
  return preset === null || card.kind === 'processor_token' ? card : { ...card, number: presetCards[preset] }
}

function numberOf(method: Authorisation['method']): string | null {
  return method.type === 'card' && method.card.kind !== 'processor_token' ? method.card.number : null
}
