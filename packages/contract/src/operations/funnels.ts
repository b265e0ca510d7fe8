import { z } from 'zod'
import { exampleId, reference, referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { pageOf, pageQuery } from '../pagination.ts'
import { funnelSession, newPreviewSession, previewSession, previewUpdate } from '../resources/funnel-sessions.ts'
import { funnel, funnelUpdate, newFunnel } from '../resources/funnels.ts'

const ofFunnel = z.object({
  funnelId: referenceTo('funnel', 'The funnel.'),
})

/** Previews as in the reference, "POST /funnels/{funnelId}/preview-session"; funnels themselves beside the public API. */
export const funnels = {
  previewSession: {
    method: 'POST',
    path: '/api/public/v1/funnels/{funnelId}/preview-session',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Begin a preview of a funnel',
    description:
      'Makes a nameless customer and a session at the step, whose events are drafts. The token opens that session alone and lives an hour; it is answered once and kept hashed. A preview never reaches a live processor.',
    params: ofFunnel,
    body: newPreviewSession,
    status: 201,
    response: previewSession,
    errors: ['resource_missing', 'currency_unsupported', 'state_conflict'],
    emits: ['s_customer_created', 's_funnel_session_started', 's_funnel_session_step_viewed'],
    idempotent: 'unit',
    secretAnswer: true,
  },
  updatePreview: {
    method: 'POST',
    path: '/api/funnels/v1/previews/{sessionId}',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Say what 3-D Secure comes to in a preview (not in production)',
    description:
      'Decides the next payment of the preview, and no further one. With `frictionless`, `challenge` and `fail` the buyer is authenticated although the flow would have it otherwise; with `none` not even where flow or issuer want it. In production the answer is a 404.',
    params: z.object({ sessionId: referenceTo('funnelSession', 'The session of the preview.') }),
    body: previewUpdate,
    status: 200,
    response: funnelSession,
    errors: ['resource_missing', 'route_not_found', 'state_conflict'],
    idempotent: 'unit',
  },
  create: {
    method: 'POST',
    path: '/api/funnels/v1/funnels',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Create a funnel with its steps',
    description: 'The first step is the entry if none says so. Paths and ids of steps are unique within the funnel.',
    body: newFunnel,
    status: 201,
    response: funnel,
    errors: ['resource_exists', 'resource_missing'],
    emits: ['s_funnel_created'],
    idempotent: 'unit',
  },
  get: {
    method: 'GET',
    path: '/api/funnels/v1/funnels/{funnelId}',
    audience: 'key',
    scope: 'funnels:read',
    summary: 'Read a funnel',
    description: 'Its steps stand in the order in which a buyer meets them.',
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
    summary: 'List funnels, newest first',
    description: 'While `hasMore` is true, `nextCursor` as `after` asks for the next page.',
    query: pageQuery.extend({
      storeId: reference
        .optional()
        .meta({ description: 'Only the funnels of this store.', examples: [exampleId('store')] }),
    }),
    status: 200,
    response: pageOf(funnel),
    errors: [],
  },
  update: {
    method: 'POST',
    path: '/api/funnels/v1/funnels/{funnelId}',
    audience: 'key',
    scope: 'funnels:write',
    summary: 'Change a funnel: what is left out stays, lists are replaced whole',
    description: 'Of two changes at once none is lost: the second is built on the first.',
    params: ofFunnel,
    body: funnelUpdate,
    status: 200,
    response: funnel,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_funnel_updated'],
    idempotent: 'unit',
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
    description: 'Meant for debugging: the session as it is stored, for 30 days after its last activity.',
    params: z.object({
      sessionId: referenceTo('funnelSession', 'The session.'),
    }),
    status: 200,
    response: funnelSession,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
