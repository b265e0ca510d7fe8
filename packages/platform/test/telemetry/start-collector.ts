import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A span as OTLP's JSON has it, as far as tests read it. */
export interface ExportedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number }
}

/** A collector of traces, as an operator's would be. */
export interface Collector {
  url: string
  /** The bodies of all exports. */
  bodies: Buffer[]
  /** The spans of all exports in JSON. */
  spans(): ExportedSpan[]
}

/** Starts a collector on a free port of loopback; it ends with the test. */
export async function startCollector(): Promise<Collector> {
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body)
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return { url: `http://127.0.0.1:${address.port}`, bodies, spans: () => bodies.flatMap(spansIn) }
}

interface Exported {
  resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[]
}

function spansIn(body: Buffer): ExportedSpan[] {
  const { resourceSpans }: Exported = JSON.parse(body.toString())
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

/** The attribute of a span, or `undefined`. */
export function attributeOf({ attributes }: ExportedSpan, name: string): string | number | undefined {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}
