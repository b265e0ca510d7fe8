import { errorBody, errorKinds, isErrorCode, openApi, type Operation } from '@tillwright/contract'
import { expect } from 'vitest'
import type { Answer } from '../send-request.ts'
import { pathName, pathsOf } from './at-path.ts'
import type { SentParts } from './send-to.ts'

const document = openApi('0', [])

/**
 * An answer that refuses as the contract says: a 4xx of both shapes, with the status and the type of its code, and a
 * code that the OpenAPI document names for the operation.
 */
export function expectRefusal(operation: Operation, answer: Answer): void {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(answer.status, answer.text).toBeLessThan(500)
  expect(errorBody.parse(answer.body)).toEqual(answer.body)
  const { code, type, requestId } = answer.error
  if (!isErrorCode(code)) throw new Error(`The contract has no error '${code}'.`)
  expect([answer.status, type]).toEqual([errorKinds[code].status, errorKinds[code].type])
  expect(answer.headers['x-request-id']).toBe(requestId)
  expect(descriptionOf(operation, answer.status)).toContain(`\`${code}\``)
}

/**
 * A refusal blames what was sent: `param` names a value of the request, unless the field is missing or the request
 * names no field at all.
 */
export function expectBlamesSent({ error, text }: Answer, { params = {}, query = {}, body }: SentParts): void {
  const { code, param } = error
  if (param === undefined || code === 'parameter_missing') return
  const sent = [params, query, body].flatMap((part) => [...pathsOf(part)].map(pathName))
  expect(sent, text).toContain(param)
}

function descriptionOf({ path, method }: Operation, status: number): string {
  return document.paths[path]?.[method.toLowerCase()]?.responses[status]?.description ?? `no ${status} is described`
}
