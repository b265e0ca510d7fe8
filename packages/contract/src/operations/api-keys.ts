import { z } from 'zod'
import { exampleId, ownId, referenceTo } from '../ids.ts'
import { createdBetween, howToList, listOf } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { apiKey, apiKeyKind, createdApiKey, keyRoll, newApiKey } from '../resources/api-keys.ts'

const ofKey = z.object({ keyId: referenceTo('apiKey', 'The id of the key.') })

const withinOwnRights =
  'Nobody can hand out more than they may do themselves: a member creates, rolls and revokes keys within the scopes of the role, and only an owner or a key with org:admin those with org:admin.'

/** Not in the reference. The API keys of an account. */
export const apiKeys = {
  list: {
    method: 'GET',
    path: '/api/accounts/v1/keys',
    audience: 'admin',
    scope: 'keys:read',
    summary: 'List API keys',
    description: `Expired and revoked keys are in the list, too. No key is shown; what is shown is enough to recognize one. ${howToList}`,
    ...listOf(apiKey, {
      ...createdBetween,
      kind: apiKeyKind.optional().meta({ description: 'Only keys of this kind.', examples: ['secret'] }),
      createdBy: ownId.optional().meta({
        description: 'Only keys that this member or key has made, or has rolled others to.',
        examples: [exampleId('member')],
      }),
    }),
    status: 200,
    errors: [],
  },
  get: {
    method: 'GET',
    path: '/api/accounts/v1/keys/{keyId}',
    audience: 'admin',
    scope: 'keys:read',
    summary: 'Read an API key',
    description: 'Returns all but the key itself.',
    params: ofKey,
    status: 200,
    response: apiKey,
    errors: ['resource_missing'],
  },
  create: {
    method: 'POST',
    path: '/api/accounts/v1/keys/create',
    audience: 'admin',
    scope: 'keys:write',
    summary: 'Create an API key',
    description: `Returns the key once. ${withinOwnRights}`,
    body: newApiKey,
    status: 201,
    response: createdApiKey,
    errors: ['resource_missing'],
    emits: ['s_api_key_created'],
    idempotent: 'transaction',
    secretAnswer: true,
  },
  roll: {
    method: 'POST',
    path: '/api/accounts/v1/keys/{keyId}/roll',
    audience: 'admin',
    scope: 'keys:write',
    summary: 'Roll an API key',
    description: `Returns a new key with the same rights once; the old one works for \`overlapHours\` more. A key can be rolled once: roll its replacement afterwards. ${withinOwnRights}`,
    params: ofKey,
    body: keyRoll,
    status: 201,
    response: createdApiKey,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_api_key_rolled'],
    idempotent: 'transaction',
    secretAnswer: true,
  },
  revoke: {
    method: 'POST',
    path: '/api/accounts/v1/keys/{keyId}/revoke',
    audience: 'admin',
    scope: 'keys:write',
    summary: 'Revoke an API key',
    description: `For good; every process refuses the key within a second. The last good key with org:admin can be revoked only while the account has an active owner, who could make another. ${withinOwnRights}`,
    params: ofKey,
    status: 200,
    response: apiKey,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_api_key_revoked'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
