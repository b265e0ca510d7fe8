import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fetchOnce } from '../../../checkout/bench/fetch-once.ts'
import { freePort } from '../../../../.ci/free-port.ts'
import { scratch } from '../scratch.ts'
import { type Peer, startPeer } from './peer.ts'

const VERSION = '2.21.2'
const LOGIN = { email: 'bench@example.com', password: 'supersecret' }

const fetchMedusa = () =>
  fetchOnce({
    name: `medusa-${VERSION}`,
    packages: { '@medusajs/medusa': VERSION, '@medusajs/framework': VERSION, '@medusajs/cli': VERSION },
  })

/** Its own modules in memory, as it comes; the dashboard is left out, which is a build of its own. */
const CONFIG = `const { defineConfig } = require('@medusajs/framework/utils')
const cors = 'http://localhost:4410'
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: { storeCors: cors, adminCors: cors, authCors: cors, jwtSecret: 'bench', cookieSecret: 'bench' },
  },
  admin: { disable: true },
})
`

/** Medusa on PostgreSQL, in one process. */
export const medusa: Peer = {
  name: `Medusa ${VERSION}`,
  async prepare(databaseUrl) {
    const { cwd, command } = await project()
    const env = { ...process.env, ...settings(databaseUrl) }
    const { email, password } = LOGIN
    for (const args of [['db:migrate'], ['user', '--email', email, '--password', password]]) {
      await promisify(execFile)(process.execPath, [command, ...args], { cwd, env })
    }
  },
  async start(databaseUrl) {
    const [{ cwd, command }, port] = [await project(), await freePort()]
    const url = `http://localhost:${port}`
    const started = await startPeer({
      args: [command, 'start', '--port', String(port)],
      cwd,
      env: settings(databaseUrl),
      healthUrl: `${url}/health`,
    })
    let headers: Record<string, string> = {}
    return {
      ...started,
      async requests() {
        const { token } = await ask(`${url}/auth/user/emailpass`, { body: LOGIN })
        headers = { Authorization: `Bearer ${token}` }
        const { product } = await ask(`${url}/admin/products`, { headers, body: productOf('first') })
        return {
          create: { url: `${url}/admin/products`, headers, body: JSON.stringify(productOf('{n}')) },
          read: { url: `${url}/admin/products/${product.id}`, headers },
        }
      },
      products: async () => (await ask(`${url}/admin/products?limit=1`, { headers })).count,
    }
  },
}

/** A folder with the settings, next to the fetched packages. */
async function project(): Promise<{ cwd: string; command: string }> {
  const folder = await fetchMedusa()
  const cwd = join(scratch, 'medusa')
  await mkdir(cwd, { recursive: true })
  await symlink(join(folder, 'node_modules'), join(cwd, 'node_modules')).catch(() => {}) // it is there from before
  await writeFile(join(cwd, 'medusa-config.js'), CONFIG)
  await writeFile(
    join(cwd, 'package.json'),
    JSON.stringify({ private: true, dependencies: { '@medusajs/medusa': VERSION } }),
  )
  return { cwd, command: join(folder, 'node_modules/@medusajs/cli/cli.js') }
}

const settings = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  NODE_ENV: 'production',
  MEDUSA_DISABLE_TELEMETRY: 'true',
  XDG_CONFIG_HOME: scratch, // where it notes who it was told not to tell
  LOG_LEVEL: 'error',
})

/** One option and one variant with two prices, as ours has. */
function productOf(handle: string) {
  return {
    title: 'Canvas tote',
    handle: `tote-${handle}`,
    description: 'A sturdy bag of undyed organic canvas, made to be filled.',
    options: [{ title: 'Colour', values: ['Natural'] }],
    variants: [
      {
        title: 'Natural',
        weight: 320,
        options: { Colour: 'Natural' },
        prices: [
          { amount: 2400, currency_code: 'usd' },
          { amount: 2200, currency_code: 'eur' },
        ],
      },
    ],
  }
}

/** The parts of Medusa's answers that are read here. */
interface Answered {
  token: string
  product: { id: string }
  count: number
}

async function ask(
  url: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: object },
): Promise<Answered> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
