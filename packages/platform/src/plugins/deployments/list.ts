import type { Contract } from '@tillwright/contract'
import { findStore } from '../../catalog/index.ts'
import type { Handler } from '../../request-context.ts'
import { missing } from '../../runtime/index.ts'
import { NEWEST, readCursor, writeCursor } from '../../storage/index.ts'
import { managedDeployment, pageOfDeployments } from './deployments.ts'

/** Lists the deployments of a store in pages, newest first. */
export function listManaged(pluginsUrl: string): Handler<Contract['pluginManagement']['list']> {
  return async ({ query: { limit, after, ...wanted } }, call) => {
    const store = await findStore(wanted.storeId, call.caller.accountId, call.parts.db)
    if (store === null) throw missing('store', wanted.storeId, 'storeId')
    const before = after === undefined ? NEWEST : readCursor(after)
    // One more than asked for tells whether there is a next page.
    const page = { ...wanted, pluginId: wanted.pluginId, before, limit: limit + 1 }
    const found = await pageOfDeployments(page, call)
    const data = found.slice(0, limit)
    const last = data.at(-1)
    const hasMore = found.length > limit && last !== undefined
    const nextCursor = hasMore ? writeCursor(last) : null
    return { body: { data: data.map((each) => managedDeployment(each, pluginsUrl)), hasMore, nextCursor } }
  }
}
