import type { Contract, Funnel, NewFunnel } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import { NEWEST, readCursor, writeCursor } from '../ambient/page-cursor.ts'
import type { Call, Handlers, Write } from '../call.ts'
import { emit } from '../events/emit.ts'
import { buildFunnel, mergeFunnel } from './build-funnel.ts'
import { findFunnel, insertFunnel, listFunnels, replaceFunnel, type StoredFunnel } from './funnel-rows.ts'
import { previewSession } from './preview-session.ts'
import { requirePlugins } from './require-plugins.ts'
import { updatePreview } from './update-preview.ts'

/** Funnels beside the public API, and their previews within it. */
export const funnels: Handlers<Contract['funnels']> = {
  previewSession,
  updatePreview,

  async create({ body }, call) {
    await requirePlugins(body.steps, call)
    const { funnel, writes } = funnelWrites(body, call)
    return { body: funnel, writes }
  },

  async get({ params: { funnelId } }, call) {
    return { body: (await storedFunnel(funnelId, call)).funnel }
  },

  async list({ query: { limit, after, storeId } }, { caller: { accountId }, parts }) {
    const before = after === undefined ? NEWEST : readCursor(after)
    // One more than asked for tells whether there is a next page.
    const found = await listFunnels({ accountId, storeId, before, limit: limit + 1 }, parts.db)
    const data = found.slice(0, limit)
    const last = data.at(-1)
    if (last === undefined || found.length <= limit) return { body: { data, hasMore: false, nextCursor: null } }
    const nextCursor = writeCursor({ createdAtMs: Date.parse(last.createdAt), id: last.id })
    return { body: { data, hasMore: true, nextCursor } }
  },

  async update({ params: { funnelId }, body }, call) {
    const { funnel: before, revision } = await storedFunnel(funnelId, call)
    await requirePlugins(body.steps ?? [], call)
    const funnel = mergeFunnel(before, body, call)
    return { body: funnel, writes: [...replaceFunnel(funnel, revision), ...told('s_funnel_updated', funnel, call)] }
  },
}

/** The statements that record a funnel and its event. The first one's guard is that the store exists. */
export function funnelWrites(body: NewFunnel, call: Call): { funnel: Funnel; writes: Write[] } {
  const funnel = buildFunnel(body, call)
  return { funnel, writes: [...insertFunnel(funnel), ...told('s_funnel_created', funnel, call)] }
}

async function storedFunnel(funnelId: string, { caller, parts }: Call): Promise<StoredFunnel> {
  const stored = await findFunnel(funnelId, caller.accountId, parts.db)
  if (stored === null) throw missing('funnel', funnelId, 'funnelId')
  return stored
}

function told(type: 's_funnel_created' | 's_funnel_updated', { id, storeId, name }: Funnel, call: Call): Write[] {
  return emit(type, { storeId, properties: { funnelId: id, name } }, call)
}
