import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { hookKind } from '../resources/hook-answers.ts'
import { hook, hookAnswerLog, hooks as storeHooks, newHook, rotatedHook, setHook } from '../resources/hooks.ts'

const storeId = referenceTo('store', 'The store.')
const ofStore = z.object({ storeId })
const one = z.object({
  storeId,
  kind: z
    .string()
    .min(1)
    .max(128)
    .meta({
      description: `Question that the hook answers: ${hookKind.options.map((kind) => `\`${kind}\``).join(', ')}.`,
      examples: ['tax'],
    }),
})

/** Not in the reference: questions about orders that the merchant's own server answers. */
export const hooks = {
  list: {
    method: 'GET',
    path: '/api/payments/v1/stores/{storeId}/hooks',
    audience: 'admin',
    scope: 'hooks:read',
    summary: 'List hooks',
    description: 'Returns the hooks of a store, at most one of each kind. Secrets are never returned.',
    params: ofStore,
    status: 200,
    response: storeHooks,
    errors: ['resource_missing'],
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/stores/{storeId}/hooks/{kind}',
    audience: 'admin',
    scope: 'hooks:read',
    summary: 'Read a hook',
    params: one,
    status: 200,
    response: hook,
    errors: ['resource_missing'],
  },
  set: {
    method: 'POST',
    path: '/api/payments/v1/stores/{storeId}/hooks/{kind}',
    audience: 'admin',
    scope: 'hooks:write',
    summary: 'Set a hook',
    description:
      'Creates the hook of this kind, or replaces its settings; the secret of an existing one stays as it is. From now on the question goes to this address, with what is needed to answer it.',
    params: one,
    body: newHook,
    status: 200,
    response: setHook,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_hook_updated'],
    idempotent: 'transaction',
    secretAnswer: true,
  },
  rotateSecret: {
    method: 'POST',
    path: '/api/payments/v1/stores/{storeId}/hooks/{kind}/rotate-secret',
    audience: 'admin',
    scope: 'hooks:write',
    summary: 'Rotate the secret of a hook',
    description: 'Requests are signed with both secrets for 24 hours.',
    params: one,
    status: 200,
    response: rotatedHook,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_hook_updated'],
    idempotent: 'transaction',
    secretAnswer: true,
  },
  remove: {
    method: 'POST',
    path: '/api/payments/v1/stores/{storeId}/hooks/{kind}/remove',
    audience: 'admin',
    scope: 'hooks:write',
    summary: 'Remove a hook',
    description: 'Nothing is asked any more. Orders keep what was answered for them.',
    params: one,
    status: 200,
    response: hook,
    errors: ['resource_missing'],
    emits: ['s_hook_removed'],
    idempotent: 'transaction',
  },
  answers: {
    method: 'GET',
    path: '/api/payments/v1/stores/{storeId}/hooks/{kind}/answers',
    audience: 'admin',
    scope: 'hooks:read',
    summary: 'List the last answers of a hook',
    description:
      'Returns the 50 newest answers and failures of the last day, newest first, those of payments that were refused among them.',
    params: one,
    status: 200,
    response: hookAnswerLog,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
