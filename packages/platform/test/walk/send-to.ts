import type { OutgoingHttpHeaders } from 'node:http'
import type { Operation } from '@tillwright/contract'
import { addressOf } from '../address-of.ts'
import { beginSession } from '../buyer-session.ts'
import { consoleHeaders, placeMember } from '../console-browser.ts'
import type { Answer } from '../send-request.ts'
import type { TestPlatform } from '../test-platform.ts'

/** The parts of a request to an operation. `raw` is sent as it is, in the place of `body`. */
export interface SentParts {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
  raw?: string | Uint8Array
  headers?: OutgoingHttpHeaders
  /** The session of a buyer's page, or of a member, that it is sent in: any of the account's unless given. */
  token?: string
}

/** Sends a request to the origin that serves the operation, with a key that may do everything there. */
export async function sendTo(platform: TestPlatform, operation: Operation, sent: SentParts): Promise<Answer> {
  const { method, path } = addressOf(operation, sent)
  const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const message = { body, headers: sent.headers ?? {} }
  if (operation.audience === 'page') return platform.pageRequest(method, path, message)
  if (operation.audience === 'session') {
    return platform.pageRequest(method, path, { ...message, key: sent.token ?? (await anySession(platform)) })
  }
  if (operation.audience === 'console') {
    const headers = { ...consoleHeaders(platform, sent.token ?? (await anyMember(platform))), ...message.headers }
    return platform.request(method, path, { ...message, headers, key: '' })
  }
  if (operation.audience === 'frame') return platform.vaultRequest(method, path, message)
  const answer = platform.request(method, path, { ...message, key: platform.local.adminApiKey })
  return Object.hasOwn(sent.query ?? {}, 'waitSeconds') ? timePasses(platform, answer) : answer
}

/** The platform's clock goes on while a request is under way that may wait by it. */
async function timePasses({ clock }: TestPlatform, answer: Promise<Answer>): Promise<Answer> {
  const moving = setInterval(() => clock.advance(1_000), 1)
  return answer.finally(() => clearInterval(moving))
}

/** A session of each account, begun once. */
const tokens = new Map<string, string>()

async function anySession(platform: TestPlatform): Promise<string> {
  const { accountId } = platform.local
  const token = tokens.get(accountId) ?? (await beginSession(platform)).token
  tokens.set(accountId, token)
  return token
}

/** A signed-in owner of each account. */
const owners = new Map<string, string>()

export async function anyMember(platform: TestPlatform): Promise<string> {
  const { accountId } = platform.local
  const token = owners.get(accountId) ?? (await placeMember(platform)).token
  owners.set(accountId, token)
  return token
}
