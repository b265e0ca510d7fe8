import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * Serves what another server does, its pages under a policy that allows them and one more origin alone. (A page that the
 * browser's own interception answers may not show frames of this machine.)
 *
 * @param url Where it listens.
 * @param allowed The origin of the card form.
 * @returns A function that stops it.
 */
export async function serveStrictly(url: string, target: string, allowed: string): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    const { method = 'GET' } = request
    const body = method === 'POST' ? Buffer.concat(await request.toArray()) : null
    const signed = Object.entries(request.headersDistinct).filter(([name]) => name.startsWith('webhook-'))
    const headers = signed.map(([name, values = []]): [string, string] => [name, values.join()])
    const answer = await fetch(new URL(request.url ?? '/', target), { method, headers, body })
    const text = await answer.text()
    const type = answer.headers.get('content-type') ?? 'text/plain'
    const policy = type.startsWith('text/html') ? { 'Content-Security-Policy': policyOf(text, allowed) } : {}
    response.writeHead(answer.status, { 'Content-Type': type, ...policy }).end(text)
  })
  server.listen(Number(new URL(url).port), 'localhost')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** A script that stands in the page is allowed by its hash. */
function policyOf(html: string, allowed: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g)]
  const hashes = inline.map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  return [
    "default-src 'none'",
    ['script-src', "'self'", allowed, ...hashes].join(' '),
    `frame-src ${allowed}`,
    "style-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
  ].join('; ')
}
