import { type Contract, type Hook, hookKind, type HookKind } from '@tillwright/contract'
import { inOpenStore, requireOpenStore, requireStore } from '../catalog/index.ts'
import { checkedUrl, emit, newSecret, refuseUndeliverable, sealedSecretsOf } from '../events/index.ts'
import type { Handlers, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { type HookRow, readHooks, selectAll, selectHooks, toHook } from './hook-records.ts'
import { hookAnswersTable } from './tables.ts'

/** Sealed columns of `hooks`, for key rotation. */
export const sealedHookSecrets = [sealedSecretsOf('hooks')]

/** Handlers of a store's hooks. */
export const hooks: Handlers<Contract['hooks']> = {
  async list({ params: { storeId } }, context) {
    const { caller, services } = context
    const hooksOfStore = selectHooks(storeId, caller.accountId, services.db)
    const [found] = await Promise.all([hooksOfStore, requireStore(storeId, context)])
    return { body: { storeId, hooks: found.map(toHook) } }
  },

  async get({ params }, context) {
    return { body: toHook(await requireHook(params, context)) }
  },

  async set({ params: { storeId, kind: named }, body }, context) {
    const kind = kindOf(named, storeId)
    const { caller, services, nowMs } = context
    const { accountId } = caller
    const url = checkedUrl(body.url)
    const [[before]] = await Promise.all([
      selectHook({ storeId, kind }, accountId, services.db),
      requireOpenStore(storeId, context),
      refuseUndeliverable(new URL(url), services),
    ])
    const id = before?.id ?? context.newId('hook')
    const secret = before === undefined ? newSecret(id, services) : null
    const createdMs = before?.created_at ?? nowMs
    const hook: Hook = {
      id,
      storeId,
      kind,
      ...body,
      url,
      createdAt: new Date(createdMs).toISOString(),
      updatedAt: new Date(nowMs).toISOString(),
    }
    const write = secret === null ? updateHook(hook, accountId) : insertHook(hook, accountId, secret.column)
    return {
      body: { ...hook, secret: secret?.text ?? null },
      writes: inOpenStore([write, ...hookEvent('s_hook_updated', hook, context)], { storeId }, context),
      change: { resource: { type: 'hook', id }, before: before && toHook(before), after: hook },
    }
  },

  async rotateSecret({ params }, context) {
    const { caller, services, nowMs } = context
    const row = await requireHook(params, context)
    const { text, column } = newSecret(row.id, services, { sealed: row.secrets, nowMs })
    const write: Write = {
      sql: updateSecrets,
      params: [caller.accountId, column, row.id, row.sealed],
      expect: 1,
      onRefused: changedMeanwhile,
    }
    const hook = toHook(row)
    return {
      body: { ...hook, secret: text },
      writes: [write, ...hookEvent('s_hook_updated', hook, context)],
      change: { resource: { type: 'hook', id: row.id }, before: hook, after: hook },
    }
  },

  async remove({ params }, context) {
    const row = await requireHook(params, context)
    const { accountId } = context.caller
    const write: Write = {
      sql: 'DELETE FROM hooks WHERE account_id = ? AND id = ?',
      params: [accountId, row.id],
      expect: 1,
      onRefused: changedMeanwhile,
    }
    const hook = toHook(row)
    const writes = [write, ...hookEvent('s_hook_removed', hook, context)]
    return { body: hook, writes, change: { resource: { type: 'hook', id: row.id }, before: hook } }
  },

  async answers({ params }, context) {
    const { id, store_id: storeId, kind } = await requireHook(params, context)
    const { caller, services } = context
    const rows = readAnswers(await services.db.read(selectAnswers, [caller.accountId, id, ANSWERS_SHOWN]))
    return { body: { storeId, kind, answers: rows.map(({ record }) => record) } }
  },
}

function hookEvent(
  type: 's_hook_updated' | 's_hook_removed',
  { id: hookId, storeId, kind }: Hook,
  context: RequestContext,
): Write[] {
  return emit(type, { storeId, properties: { hookId, storeId, kind } }, context)
}

/** Guarded by the previous value. The account comes first, for the lock order. */
const updateSecrets = `WITH owner AS (SELECT CAST(? AS TEXT) AS account_id)
  UPDATE hooks SET secrets = ?
  WHERE account_id = (SELECT account_id FROM owner) AND id = ? AND secrets = ?`

/** How many answers are shown. */
const ANSWERS_SHOWN = 50

const selectAnswers = `SELECT record FROM hook_answers WHERE account_id = ? AND hook_id = ?
  ORDER BY asked_at DESC, id DESC LIMIT ?`

const readAnswers = rowReader(pick(hookAnswersTable, 'record'))

/** @throws {ApiError} `resource_missing` for what is no kind. */
function kindOf(named: string, storeId: string): HookKind {
  const kind = hookKind.options.find((each) => each === named)
  if (kind !== undefined) return kind
  const place = `in the store '${storeId}': a hook is ${hookKind.options.join(', ')}`
  throw missing('hook', named, { param: 'kind', place })
}

async function requireHook(
  { storeId, kind }: { storeId: string; kind: string },
  { caller, services }: RequestContext,
): Promise<HookRow> {
  const place = { storeId, kind: kindOf(kind, storeId) }
  const [row] = await selectHook(place, caller.accountId, services.db)
  if (row !== undefined) return row
  await requireStore(place.storeId, { caller, services })
  throw missing('hook', place.kind, { param: 'kind', place: `in the store '${place.storeId}'` })
}

interface HookPlace {
  storeId: string
  kind: HookKind
}

async function selectHook({ storeId, kind }: HookPlace, accountId: string, db: Database): Promise<HookRow[]> {
  const sql = `${selectAll} WHERE account_id = ? AND store_id = ? AND kind = ?`
  return readHooks(await db.read(sql, [accountId, storeId, kind]))
}

function insertHook(hook: Hook, accountId: string, secrets: string): Write {
  const at = Date.parse(hook.updatedAt)
  return {
    sql: `INSERT INTO hooks (account_id, id, store_id, kind, url, timeout_ms, on_failure, active, secrets, created_at,
        updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      accountId,
      hook.id,
      hook.storeId,
      hook.kind,
      hook.url,
      hook.timeoutMs,
      hook.onFailure,
      Number(hook.active),
      secrets,
      at,
      at,
    ],
    onRefused: changedMeanwhile,
  }
}

function updateHook({ id, url, timeoutMs, onFailure, active, updatedAt }: Hook, accountId: string): Write {
  return {
    sql: `WITH owner AS (SELECT CAST(? AS TEXT) AS account_id)
      UPDATE hooks SET url = ?, timeout_ms = ?, on_failure = ?, active = ?, updated_at = ?
      WHERE account_id = (SELECT account_id FROM owner) AND id = ?`,
    params: [accountId, url, timeoutMs, onFailure, Number(active), Date.parse(updatedAt), id],
    expect: 1,
    onRefused: changedMeanwhile,
  }
}

function changedMeanwhile(): ApiError {
  return new ApiError('state_conflict', 'The hook was changed meanwhile; read it and try again.')
}
