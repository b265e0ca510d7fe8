import { dirname, join } from 'node:path'
import { fetchOnce } from '../../../checkout/bench/fetch-once.ts'
import { freePort } from '../../../../.ci/free-port.ts'
import { type Peer, type PeerProcess, startPeer } from './peer.ts'

const VERSION = '3.7.3'
const LOGIN = { username: 'superadmin', password: 'superadmin' }

const fetchVendure = () =>
  fetchOnce({ name: `vendure-${VERSION}`, packages: { '@vendure/core': VERSION, pg: '8.16.3' } })

/** Vendure's server on PostgreSQL, without its worker. */
export const vendure: Peer = {
  name: `Vendure ${VERSION}`,
  async prepare(databaseUrl) {
    const started = await startPeer(await serverOf(databaseUrl, { SYNCHRONIZE: '1' }))
    await started.stop()
  },
  async start(databaseUrl) {
    const server = await serverOf(databaseUrl, {})
    const url = `${dirname(server.healthUrl)}/admin-api`
    const started = await startPeer(server)
    let token = ''
    const ask = (query: string) => askVendure(url, { query, token })
    return {
      ...started,
      async requests() {
        token = await logIn(url)
        const headers = { Authorization: `Bearer ${token}` }
        const {
          createProduct: { id },
        } = await ask(createOf('first'))
        return {
          create: { url, headers, body: JSON.stringify({ query: createOf('{n}') }) },
          read: { url, headers, body: JSON.stringify({ query: readOf(id) }), reads: true },
        }
      },
      products: async () => (await ask('{ products(options: { take: 1 }) { totalItems } }')).products.totalItems,
    }
  },
}

async function serverOf(databaseUrl: string, env: Readonly<Record<string, string>>): Promise<PeerProcess> {
  const [folder, port] = [await fetchVendure(), await freePort()]
  return {
    args: [join(import.meta.dirname, 'vendure-server.ts')],
    cwd: folder,
    env: { ...env, PEER_FOLDER: folder, PEER_PORT: String(port), DATABASE_URL: databaseUrl },
    healthUrl: `http://localhost:${port}/health`,
  }
}

/** A product alone, without the variant and the prices that ours has. */
function createOf(slug: string): string {
  return `mutation { createProduct(input: { enabled: true, translations: [{ languageCode: en, name: "Canvas tote",
    slug: "tote-${slug}", description: "A sturdy bag of undyed organic canvas, made to be filled." }] }) { id } }`.replaceAll(
    /\s+/g,
    ' ',
  )
}

function readOf(id: string): string {
  return `{ product(id: "${id}") { id createdAt updatedAt enabled name slug description } }`
}

async function logIn(url: string): Promise<string> {
  const query = `mutation { login(username: "${LOGIN.username}", password: "${LOGIN.password}") { __typename } }`
  const answer = await post(url, { query, token: '' })
  const token = answer.headers.get('vendure-auth-token')
  if (token === null) throw new Error(`Vendure gives no token: ${await answer.text()}`)
  return token
}

interface Asked {
  query: string
  token: string
}

/** The parts of Vendure's answers that are read here. */
interface Answered {
  createProduct: { id: string }
  products: { totalItems: number }
}

async function askVendure(url: string, asked: Asked): Promise<Answered> {
  const answer: { data?: Answered; errors?: readonly unknown[] } = await (await post(url, asked)).json()
  if (answer.data === undefined || answer.errors !== undefined) throw new Error(`Vendure: ${JSON.stringify(answer)}`)
  return answer.data
}

function post(url: string, { query, token }: Asked): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(token !== '' && { Authorization: `Bearer ${token}` }) }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
}
