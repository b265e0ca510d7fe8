import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isGatewayError } from '../binding/index.ts'

/** Headers that are about one connection alone. Source: RFC 9110, 7.6.1. */
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']
/** Answers of the session API are small; a larger one is handed on as it comes. */
const REWRITTEN_MAX_BYTES = 2_000_000

/** Where requests are passed on to. */
export interface ProxyTarget {
  /** Without a slash at the end. */
  url: string
  /** Path and query there. */
  path: string
  /** Headers to replace. */
  headers?: Readonly<Record<string, string>>
  /** Changes the text of a JSON answer. */
  rewrite?: (text: string) => string
  /** Called if the platform does not answer, or a gateway in front of it says so. */
  unreachable: () => void
}

/** Passes a request on and its answer back. No key is added: a page sends what it has. */
export function proxyRequest(request: IncomingMessage, response: ServerResponse, target: ProxyTarget): void {
  const { url, path, headers = {}, rewrite, unreachable } = target
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const { host: _, ...sent } = without(request.headers)
  const outgoing = send(url + path, { method: request.method ?? 'GET', headers: { ...sent, ...headers } }, (answer) => {
    if (isGatewayError(answer.statusCode)) unreachable()
    if (rewrite !== undefined && isJson(answer)) return void rewriteAnswer(answer, response, rewrite)
    response.writeHead(answer.statusCode ?? 502, without(answer.headers))
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  let isLeft = false
  outgoing.on('error', () => {
    if (isLeft) return // by the page, not by the platform
    unreachable()
    if (response.headersSent) return void response.destroy()
    const message = `The platform does not answer at ${url}; pages go on when it is back.`
    response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1', 'Cache-Control': 'no-store' })
    response.end(JSON.stringify({ error: { type: 'api_error', code: 'service_unavailable', message } }))
  })
  response.on('close', () => {
    isLeft = true
    outgoing.destroy()
  })
  request.pipe(outgoing)
}

function without(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)))
}

function isJson({ headers }: IncomingMessage): boolean {
  const size = Number(headers['content-length'] ?? 0)
  return (
    /\bjson\b/.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    size <= REWRITTEN_MAX_BYTES
  )
}

async function rewriteAnswer(answer: IncomingMessage, response: ServerResponse, rewrite: (text: string) => string) {
  try {
    const parts: Buffer[] = []
    for await (const part of answer) parts.push(part as Buffer) // a stream without an encoding gives these
    const body = Buffer.from(rewrite(Buffer.concat(parts).toString()))
    const { etag: _, ...headers } = without(answer.headers)
    response.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': body.length })
    response.end(body)
  } catch {
    response.destroy()
  }
}
