import { openApi } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../test-platform.ts'
import { operations } from './operations.ts'
import { sendTo } from './send-to.ts'

const platform = sharedPlatform()
const document = openApi('0', [])

type Examples = Record<string, unknown>

/** A request as generated collections contain it: every parameter, with its example. */
function exampleRequest(path: string, method: string): { params: Examples; query: Examples } {
  const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters ?? []
  const from = (place: string) =>
    Object.fromEntries<unknown>(
      parameters.filter((each) => each.in === place).map(({ name, example }) => [name, example]),
    )
  return { params: from('path'), query: from('query') }
}

/** A page of these begins after an event or a flow that exists, and the example does not. */
const afterOwn = ['eventLog.list', 'paymentFlows.list']
const reads = operations.filter(({ operation: { method, eventStream } }) => method === 'GET' && eventStream !== true)

test.for(reads)('$id takes the examples of its parameters, all at once', async ({ id, operation }) => {
  const { params, query } = exampleRequest(operation.path, operation.method)
  const { after, ...others } = query
  const sent = after === undefined || afterOwn.includes(id) ? others : query
  const answer = await sendTo(platform(), operation, { params, query: sent })
  // No id exists, some operations are of another account or role, and one is for pages of an origin that the key names.
  const isElsewhere = answer.text.includes('"code":"token_invalid","message":"The page\'s origin')
  expect([200, 403, 404], answer.text).toContain(isElsewhere ? 403 : answer.status)
})
