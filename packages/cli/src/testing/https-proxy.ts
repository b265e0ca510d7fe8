import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { proxyRequest } from '../../../plugin-dev/src/serve/proxy.ts'

/** What a proxy that ends HTTPS tells the platform behind it. */
export const overHttps = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' }

/** Ends HTTPS in front of a platform outside `local`. */
export async function openProxy(certificate: { cert: string; key: string }, port: number): Promise<Server> {
  const proxy = createServer(certificate, (request, response) => {
    proxyRequest(request, response, {
      url: `http://127.0.0.1:${port}`,
      path: request.url ?? '/',
      headers: { ...overHttps, host: request.headers.host ?? '' },
      unreachable: () => void response.writeHead(502).end(),
    })
  })
  await new Promise<void>((resolve) => void proxy.listen(0, 'localhost', resolve))
  return proxy
}

export async function freePort(): Promise<number> {
  const probe = createHttpServer()
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve))
  const port = portOf(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

export function portOf(listening: Server): number {
  return (listening.address() as AddressInfo).port // it listens on TCP
}
