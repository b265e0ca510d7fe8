import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestPlatform } from '../test-platform.ts'

/** A host's response, byte for byte. */
export interface Visited {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** Asks a platform for an address as a browser would that had looked up its host: the path is sent as it is written. */
export function visit(
  { apiUrl }: Pick<TestPlatform, 'apiUrl'>,
  { host, path = '/', method = 'GET', headers = {}, body }: VisitedAddress,
): Promise<Visited> {
  const { hostname, port } = new URL(apiUrl)
  const sent = request({ hostname, port, path, method, headers: { Host: host, ...headers } })
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      buffer(response).then((bytes) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
      }, reject)
    })
    sent.end(body)
  })
}

interface VisitedAddress {
  host: string
  path?: string
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string
}

/** The data that a page was told. */
export function dataIn(html: string): Record<string, unknown> {
  const [, json = 'null'] = /<script type="application\/json" id="tillwright-data">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(json)
}
