import { z } from 'zod'
import { updatedProperties } from '../changes.ts'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'
import { apiKeyKind } from './api-keys.ts'
import { auditEvents } from './audit.ts'
import { hookKind } from './hook-answers.ts'
import { member, memberRole } from './members.ts'

const { changed } = updatedProperties

const ofKey = {
  apiKeyId: idOf('apiKey', 'The key.'),
  name: z
    .string()
    .nullable()
    .meta({ description: 'The name of the key, or null.', examples: ['Shop server'] }),
}
const ofMember = {
  memberId: idOf('member', 'The member.'),
  role: memberRole.meta({ description: 'The role of the member.', examples: ['support'] }),
}
const ofEndpoint = { webhookEndpointId: idOf('webhookEndpoint', 'The webhook endpoint.') }
const ofHook = {
  hookId: idOf('hook', 'The hook.'),
  storeId: idOf('store', 'The store whose orders it is asked for.'),
  kind: hookKind.meta({ description: 'Subject of the hook’s questions.' }),
}

/**
 * Event types about who and what may act for an account: part of `eventTypes`. A webhook endpoint of all events (`*`) gets
 * none of them; they go to those that name them.
 */
export const administrationEvents = {
  s_account_updated: z
    .object({ accountId: idOf('account', 'The account.'), changed })
    .meta({ description: 'The account or its limits for refunds were changed.' }),
  s_api_key_created: z
    .object({ ...ofKey, kind: apiKeyKind.meta({ description: '`secret` for servers, `publishable` for pages.' }) })
    .meta({ description: 'An API key was created.' }),
  s_api_key_rolled: z
    .object({
      ...ofKey,
      replacedBy: idOf('apiKey', 'The new key, with the same rights.'),
      expiresAt: timestamp.meta({ description: 'Until when the former key works.' }),
    })
    .meta({ description: 'An API key was replaced by a new one.' }),
  s_api_key_revoked: z.object(ofKey).meta({ description: 'An API key was revoked.' }),
  s_member_invited: z.object(ofMember).meta({ description: 'Somebody was invited, for the first time or again.' }),
  s_member_updated: z
    .object({
      ...ofMember,
      status: member.shape.status.meta({ description: 'Whether the invitation was accepted.', examples: ['active'] }),
      changed: changed.meta({
        description: 'The fields that have changed; `sessions` where the member was signed out.',
        examples: [['role']],
      }),
    })
    .meta({ description: 'A member was changed or signed out, or has accepted the invitation.' }),
  s_member_removed: z.object(ofMember).meta({ description: 'A member was removed.' }),
  s_webhook_endpoint_created: z.object(ofEndpoint).meta({ description: 'A webhook endpoint was created.' }),
  s_webhook_endpoint_updated: z
    .object({
      ...ofEndpoint,
      changed: changed.meta({
        description: 'The fields that have changed; `secret` where it was rotated.',
        examples: [['eventTypes']],
      }),
    })
    .meta({ description: 'A webhook endpoint was changed, or its secret was rotated.' }),
  s_webhook_endpoint_deleted: z.object(ofEndpoint).meta({ description: 'A webhook endpoint was deleted.' }),
  s_hook_updated: z.object(ofHook).meta({ description: 'A hook was set, or its secret was rotated.' }),
  s_hook_removed: z.object(ofHook).meta({ description: 'A hook was removed.' }),
} as const

/** The event types that a webhook endpoint has to name: `*` is all others. */
export const namedEventTypes: readonly string[] = Object.keys({ ...administrationEvents, ...auditEvents })
