import type { Contract, FailedRequest } from '@tillwright/contract'
import { type Condition, equalTo, type ListTable, readList } from '../lists/index.ts'
import { actorFor, type Caller, type Handlers } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { readByIds, type RowOf } from '../storage/index.ts'
import { type FailedRequestLog, hashOfKey } from './failed-request-log.ts'
import { failedRequestsTable } from './tables.ts'

/**
 * Reads the log of failed requests, in addition to the public API.
 *
 * @param log The log of this process. It is flushed first, so that an id can be looked up as soon as it was received.
 * @param docsUrl The reference; its page of errors has an anchor for every code.
 */
export function failedRequests(log: Pick<FailedRequestLog, 'flush'>, docsUrl: string): Handlers<Contract['requests']> {
  return {
    async list({ query }, { caller, services: { db } }) {
      await log.flush()
      const { accountId } = caller
      const { status, code, operation, actorId, storeId, idempotencyKey } = query
      const keyHash = idempotencyKey === undefined ? undefined : hashOfKey(idempotencyKey)
      const filters = [
        ...ofClass(status),
        ...equalTo('code', code),
        ...equalTo('operation', operation),
        ...equalTo('actor_id', actorId),
        ...equalTo('store_id', storeId),
        ...equalTo('idempotency_key_hash', keyHash),
      ]
      return { body: await readList(listWith(docsUrl, caller), { accountId, query, filters, anyOf: null }, db) }
    },
    async get({ params: { failedRequestId } }, { caller, services: { db } }) {
      await log.flush()
      const [found] = await listWith(docsUrl, caller).read([failedRequestId], caller.accountId, db)
      if (found === undefined) throw missing('failed request', failedRequestId)
      return { body: found }
    },
  }
}

function ofClass(status: '4xx' | '5xx' | undefined): Condition[] {
  if (status === undefined) return []
  return [{ column: 'status', is: status === '4xx' ? '<' : '>=', value: 500 }]
}

function listWith(docsUrl: string, reader: Caller): ListTable<FailedRequest> {
  return {
    table: 'failed_requests',
    orderedBy: { id: 'req' },
    indexed: [],
    read: async (ids, accountId, db) => {
      const rows = await readByIds(failedRequestsTable, { table: 'failed_requests', ids, accountId }, db)
      return rows.map((row) => toRequest(row, docsUrl, reader))
    },
  }
}

function toRequest(row: RowOf<typeof failedRequestsTable>, docsUrl: string, reader: Caller): FailedRequest {
  return {
    id: row.id,
    accountId: row.account_id,
    createdAt: new Date(row.created_at).toISOString(),
    operation: row.operation,
    method: row.method,
    path: row.path,
    pathParams: row.path_params,
    status: row.status,
    code: row.code,
    message: row.message,
    param: row.param,
    docUrl: `${docsUrl}/errors#${row.code}`,
    actor: actorFor({ kind: row.actor_kind, id: row.actor_id, name: row.actor_name }, reader),
    storeId: row.store_id,
    idempotencyKeyHash: row.idempotency_key_hash,
    durationMs: row.duration_ms,
    leftOut: row.left_out,
  }
}
