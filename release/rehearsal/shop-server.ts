import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { json } from 'node:stream/consumers'

/** What a page and its server need of `.tillwright/local.json`. */
export interface LocalPlatform {
  apiUrl: string
  vaultUrl: string
  apiKey: string
  publishableKey: string
  storeId: string
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves a built page under a strict policy, and pays with the cards that it sends. @returns What stops it. */
export async function serveShop(folder: string, url: string, local: LocalPlatform): Promise<() => Promise<void>> {
  const policy = `default-src 'none'; script-src 'self' ${local.vaultUrl}; frame-src ${local.vaultUrl}; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'`
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const { serviceToken } = (await json(request)) as { serviceToken: string } // as the pages send it
      const status = await pay(serviceToken, local).catch(String) // which the page shows
      return response.end(JSON.stringify({ status }))
    }
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    const bytes = await readFile(join(folder, path)).catch(() => null)
    const type = types[extname(path)] ?? 'application/octet-stream'
    return bytes === null
      ? response.writeHead(404).end()
      : response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(bytes)
  })
  server.listen(Number(new URL(url).port), 'localhost')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** By plain HTTP: that the client works is a row of its own. */
async function pay(serviceToken: string, local: LocalPlatform): Promise<string> {
  const { storeId } = local
  const made = await post(local, '/api/public/v1/payment-instruments/create-from-token', { serviceToken, storeId })
  const { paymentInstrument } = made as { paymentInstrument: { id: string } } // as the contract says
  const paid = { storeId, paymentInstrumentId: paymentInstrument.id, currency: 'USD', amount: 4_098 }
  const { status } = (await post(local, '/api/payments/v1/payments', paid)) as { status: string } // as the contract says
  return status
}

async function post({ apiKey, apiUrl }: LocalPlatform, path: string, body: object): Promise<unknown> {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  }
  const answer = await fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json()
}
