import type { OutgoingHttpHeaders } from 'node:http'
import type { Operation } from '@tillwright/contract'
import { addressOf } from '../../testing/call-operation.ts'
import type { Answer } from '../../testing/send-request.ts'
import type { TestPlatform } from '../../testing/test-platform.ts'

/** The parts of a request to an operation. `raw` is sent as it is, in the place of `body`. */
export interface SentParts {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
  raw?: string | Uint8Array
  headers?: OutgoingHttpHeaders
}

/** Sends a request to the origin that serves the operation, with a key that may do everything there. */
export function sendTo(platform: TestPlatform, operation: Operation, sent: SentParts): Promise<Answer> {
  const { method, path } = addressOf(operation, sent)
  const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const message = { body, headers: sent.headers ?? {} }
  if (operation.audience === 'frame') return platform.vaultRequest(method, path, message)
  return platform.request(method, path, { ...message, key: platform.local.adminApiKey })
}
