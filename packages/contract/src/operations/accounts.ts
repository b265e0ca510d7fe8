import type { Operation } from '../operation.ts'
import { keyCheck } from '../resources/accounts.ts'

const check = {
  path: '/api/public/v1/auth/test',
  audience: 'key',
  status: 200,
  response: keyCheck,
  errors: [],
} as const

const description = 'Says whose key this is, where it works, what it may do and how much of it.'

/** Source: reference, "GET /auth/test"; POST because existing clients post. */
export const accounts = {
  testKey: { ...check, method: 'GET', summary: 'Check an API key', description },
  testKeyByPost: { ...check, method: 'POST', summary: 'Check an API key, for clients that post', description },
} as const satisfies Record<string, Operation>
