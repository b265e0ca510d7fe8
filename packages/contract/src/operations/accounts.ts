import type { Operation } from '../operation.ts'
import { keyCheck } from '../resources/accounts.ts'

const check = {
  path: '/api/public/v1/auth/test',
  audience: 'key',
  status: 200,
  response: keyCheck,
  errors: [],
} as const

const description = 'Returns the account and environment of the key, its roles and scopes, and its limits.'

/** Source: reference, "GET /auth/test"; also available as POST, because existing clients use it. */
export const accounts = {
  testKey: { ...check, method: 'GET', summary: 'Check an API key', description },
  testKeyByPost: { ...check, method: 'POST', summary: 'Check an API key with POST', description },
} as const satisfies Record<string, Operation>
