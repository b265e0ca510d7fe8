import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { buildCheckout } from '../../packages/checkout/build.ts'
import { startVault, type TestVault } from '../../packages/checkout/testing/vault-server.ts'
import { stageStates } from './stage-states.ts'

const contentTypes = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css'],
  ['.js', 'text/javascript'],
])
const files = ['index.html', 'playground.css', 'playground.js']

/** A page that shows every state of the card form in every theme, and the vault behind it. */
export interface Playground {
  url: string
  close(): Promise<void>
}

/**
 * Builds the card form from its sources and serves the playground.
 *
 * @param port 0 for any that is free.
 */
export async function startPlayground(port: number): Promise<Playground> {
  const dist = await mkdtemp(join(tmpdir(), 'tillwright-playground-'))
  await buildCheckout(dist)
  await stageStates(dist)
  const vault = await startVault(dist)
  vault.hold = new Promise(() => {}) // nothing is ever answered: that is the busy state
  const server = createServer((request, response) => void serve(vault, request, response))
  const url = await listen(server, port)
  vault.allowedOrigins = [url]
  return {
    url,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, vault.close(), rm(dist, { recursive: true })])
    },
  }
}

/** The page's few files; the card frames and the loader come from the vault's own origin. */
async function serve(vault: TestVault, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const file = pathname === '/' ? 'index.html' : pathname.slice(1)
  if (!files.includes(file)) return void response.writeHead(404).end()
  const text = await readFile(join(import.meta.dirname, 'page', file), 'utf8')
  const csp = `default-src 'none'; script-src 'self' ${vault.url}; frame-src ${vault.url}; style-src 'self'; img-src data:`
  response.writeHead(200, { 'Content-Type': contentTypes.get(extname(file)), 'Content-Security-Policy': csp })
  response.end(text.replaceAll('{{vault}}', vault.url))
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, 'localhost', () => {
      // A server that listens on a host and port has an AddressInfo; only pipes have a string.
      resolve(`http://localhost:${(server.address() as AddressInfo).port}`)
    })
  })
}
