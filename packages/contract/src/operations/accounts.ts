import type { Operation } from '../operation.ts'
import { keyCheck } from '../resources/accounts.ts'

const check = {
  path: '/api/public/v1/auth/test',
  audience: 'key',
  status: 200,
  response: keyCheck,
  errors: [],
} as const

/** Source: reference, "GET /auth/test"; POST because existing clients post. */
export const accounts = {
  testKey: { ...check, method: 'GET', summary: 'Check an API key' },
  testKeyByPost: { ...check, method: 'POST', summary: 'Check an API key, for clients that post' },
} as const satisfies Record<string, Operation>
