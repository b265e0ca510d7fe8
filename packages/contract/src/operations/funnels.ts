import { z } from 'zod'
import { archivedFilter, changeErrors, howToArchive, revisionOnly } from '../changes.ts'
import { referenceTo } from '../ids.ts'
import { byTime, createdBetween, howToList, listOf, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { funnelSession, newPreviewSession, previewSession, previewUpdate } from '../resources/funnel-sessions.ts'
import { funnel, funnelUpdate, newFunnel } from '../resources/funnels.ts'

const ofFunnel = z.object({
  funnelId: referenceTo('funnel', 'The funnel.'),
})

/** Source: reference, "POST /funnels/{funnelId}/preview-session"; the other operations are not in the reference. */
export const funnels = {
  previewSession: {
    method: 'POST',
    path: '/api/public/v1/funnels/{funnelId}/preview-session',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Create a preview session',
    description:
      'Creates an anonymous customer and a session at the given step; its events are drafts. The token gives access to this session only and is valid for an hour. It is returned once and stored hashed. A preview never charges through a live processor.',
    params: ofFunnel,
    body: newPreviewSession,
    status: 201,
    response: previewSession,
    errors: ['resource_missing', 'currency_unsupported', 'state_conflict'],
    emits: ['s_customer_created', 's_funnel_session_started', 's_funnel_session_step_viewed'],
    idempotent: 'transaction',
    secretAnswer: true,
  },
  updatePreview: {
    method: 'POST',
    path: '/api/funnels/v1/previews/{sessionId}',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Update a preview',
    description:
      'Fields you leave out stay as they are. The page has new `builderOptions` as soon as it reads its session again. `threeds` applies to the next payment of the preview only: with `frictionless`, `challenge` and `fail` the buyer is authenticated even if the flow would not ask for it; with `none` the buyer is not authenticated even if the flow or the issuer asks for it. In production nobody is simulated, and `threeds` is a 404.',
    params: z.object({ sessionId: referenceTo('funnelSession', 'The preview session.') }),
    body: previewUpdate,
    status: 200,
    response: funnelSession,
    errors: ['resource_missing', 'route_not_found', 'state_conflict'],
    idempotent: 'transaction',
  },
  create: {
    method: 'POST',
    path: '/api/funnels/v1/funnels',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Create a funnel',
    description:
      'Creates a funnel with its steps. The first step is the entry unless you mark another. Paths and ids of steps are unique within the funnel.',
    body: newFunnel,
    status: 201,
    response: funnel,
    errors: ['resource_exists', 'resource_missing'],
    emits: ['s_funnel_created'],
    idempotent: 'transaction',
  },
  get: {
    method: 'GET',
    path: '/api/funnels/v1/funnels/{funnelId}',
    audience: 'key',
    scope: 'funnels:read',
    summary: 'Read a funnel',
    description: 'Returns the funnel with its steps, in the order in which a buyer reaches them.',
    params: ofFunnel,
    status: 200,
    response: funnel,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/funnels/v1/funnels',
    audience: 'key',
    scope: 'funnels:read',
    summary: 'List funnels',
    description: howToList,
    ...listOf(funnel, {
      ...byTime,
      storeId: ofResource('store', 'Only funnels of this store.'),
      ...archivedFilter,
      ...createdBetween,
      q: searchFor('a name or the beginning of an id', 'summer'),
    }),
    status: 200,
    errors: [],
  },
  update: {
    method: 'POST',
    path: '/api/funnels/v1/funnels/{funnelId}',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Update a funnel',
    description:
      'Fields you leave out stay as they are; lists are replaced, and a step without an `id` keeps the one of the step with its path. Of concurrent updates the second is applied to the result of the first, or refused with 409 `revision_conflict` if it sends the `revision` that both have read.',
    params: ofFunnel,
    body: funnelUpdate,
    status: 200,
    response: funnel,
    errors: [...changeErrors, 'state_conflict'],
    emits: ['s_funnel_updated'],
    idempotent: 'transaction',
  },
  archive: {
    method: 'POST',
    path: '/api/funnels/v1/funnels/{funnelId}/archive',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Archive a funnel',
    description: `No session begins in it, neither of a buyer nor as a preview; sessions under way go on. ${howToArchive}`,
    params: ofFunnel,
    body: revisionOnly,
    status: 200,
    response: funnel,
    errors: changeErrors,
    emits: ['s_funnel_updated'],
    idempotent: 'transaction',
  },
  unarchive: {
    method: 'POST',
    path: '/api/funnels/v1/funnels/{funnelId}/unarchive',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Unarchive a funnel',
    description: `Buyers can enter it again if it is active. ${howToArchive}`,
    params: ofFunnel,
    body: revisionOnly,
    status: 200,
    response: funnel,
    errors: changeErrors,
    emits: ['s_funnel_updated'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>

/** Source: reference, "GET /funnel-sessions/{sessionId}". */
export const funnelSessions = {
  get: {
    method: 'GET',
    path: '/api/public/v1/funnel-sessions/{sessionId}',
    audience: 'key',
    scope: 'funnels:read',
    summary: 'Read a funnel session',
    description:
      'For debugging: returns the session as it is stored. Sessions are kept for 30 days after their last activity.',
    params: z.object({
      sessionId: referenceTo('funnelSession', 'The session.'),
    }),
    status: 200,
    response: funnelSession,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
