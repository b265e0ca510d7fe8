import type { Operation } from '../operation.ts'
import { changeErrors, howToChange } from '../changes.ts'
import { decidedElsewhere } from '../decided-elsewhere.ts'
import { account, accountChange, keyCheck } from '../resources/accounts.ts'

const check = {
  path: '/api/public/v1/auth/test',
  audience: 'key',
  status: 200,
  response: keyCheck,
  errors: [],
} as const

const description = 'Returns the account and environment of the key, its roles and scopes, its end, and its limits.'

/** Source: reference, "GET /auth/test"; also available as POST, because existing clients use it. The others are not in the reference. */
export const accounts = {
  testKey: { ...check, method: 'GET', summary: 'Check an API key', description },
  testKeyByPost: { ...check, method: 'POST', summary: 'Check an API key with POST', description },
  get: {
    method: 'GET',
    path: '/api/accounts/v1/account',
    audience: 'admin',
    scope: 'account:read',
    summary: 'Read the account',
    description:
      'Returns the account of the key, with its plan, its limits and their use. There is no list: a key sees one account.',
    status: 200,
    response: account,
    errors: [],
  },
  update: {
    method: 'PATCH',
    path: '/api/accounts/v1/account',
    audience: 'admin',
    scope: 'account:write',
    summary: 'Update the account',
    description: `Changes the name and the 3-D Secure provider, which must be configured. Plan and limits are set by the operator. ${howToChange}`,
    body: accountChange,
    decided: decidedElsewhere.account,
    status: 200,
    response: account,
    errors: changeErrors,
    emits: ['s_account_updated'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
