import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as plainRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { accepts, freePort } from '../.ci/free-port.ts'
import { contract } from '../packages/contract/src/index.ts'
import { hasOpenssl } from '../packages/platform/test/channel-files.ts'
import { startTestPlatform } from '../packages/platform/test/test-platform.ts'

const hasNginx = spawnSync('nginx', ['-v']).status === 0
const hosts = ['api.example.com', 'vault.example.com', '*.plugins.example-pages.com']

interface Ports {
  http: number
  https: number
  api: number
  vault: number
}

/** Starts Debian's nginx with `nginx.conf`; replaced is what names another machine: ports and certificates. */
async function startNginx(folder: string, ports: Ports): Promise<{ ca: string }> {
  const names = hosts.map((host) => `DNS:${host}`).join(',')
  const made = ['-keyout', 'tls.key', '-out', 'tls.crt', '-addext', `subjectAltName=${names}`]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=proxy']
  execFileSync('openssl', ['req', '-x509', ...key, ...made], { cwd: folder, stdio: 'pipe' })
  const ours = await readFile(join(import.meta.dirname, 'nginx.conf'), 'utf8')
  const here = ours
    .replaceAll(/^\s*listen \[::\].*$/gm, '')
    .replaceAll('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${ports.https} `)
    .replaceAll('127.0.0.1:4400', `127.0.0.1:${ports.api}`)
    .replaceAll('127.0.0.1:4401', `127.0.0.1:${ports.vault}`)
    .replaceAll(/\/etc\/ssl\/tillwright\/\w+\./g, `${folder}/tls.`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const main = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${temporary.join(' ')}\n${here} }`
  await writeFile(join(folder, 'main.conf'), main)
  const nginx = spawn('nginx', ['-c', join(folder, 'main.conf'), '-p', folder], {
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  onTestFinished(async () => {
    if (nginx.exitCode === null && nginx.kill('SIGTERM')) await once(nginx, 'exit')
  })
  const failed = text(nginx.stderr)
  while (!(await accepts(ports.https))) {
    if (nginx.exitCode !== null) throw new Error(`nginx does not start: ${await failed}`)
    await delay(20)
  }
  return { ca: await readFile(join(folder, 'tls.crt'), 'utf8') }
}

test.skipIf(!hasNginx || !hasOpenssl)(
  'nginx.conf leads each host to its role, says who the client is, and lets the platform refuse what is too large (needs nginx, openssl)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const ports = { http: await freePort(), https: await freePort(), api: await freePort(), vault: await freePort() }
    const platform = await startTestPlatform({
      environment: 'production',
      env: {
        TILLWRIGHT_API_URL: 'https://api.example.com',
        TILLWRIGHT_VAULT_URL: 'https://vault.example.com',
        TILLWRIGHT_PLUGINS_URL: 'https://plugins.example-pages.com',
        TILLWRIGHT_PORT: String(ports.api),
        TILLWRIGHT_VAULT_PORT: String(ports.vault),
      },
    })
    onTestFinished(() => platform.remove())
    const { ca } = await startNginx(folder, ports)
    const key = platform.local.adminApiKey

    const ask = async (
      host: string,
      path: string,
      { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
    ): Promise<IncomingMessage> => {
      const place = { host: '127.0.0.1', port: ports.https, servername: host, ca, path }
      const sent = request({
        ...place,
        method: body === undefined ? 'GET' : 'POST',
        headers: { Host: host, ...headers },
      })
      sent.on('error', () => undefined) // a body that is refused before its end
      const answered: Promise<IncomingMessage[]> = once(sent, 'response')
      sent.end(body)
      const [answer] = await answered
      if (answer === undefined) throw new Error(`${path} has no answer`)
      return answer
    }
    const json = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }

    const store = await ask('api.example.com', '/api/public/v1/stores/create', {
      headers: { ...json, 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http' },
      body: JSON.stringify({ name: 'Second shop' }),
    })
    expect([store.statusCode, await text(store)]).toEqual([201, expect.stringContaining('Second shop')])
    const audit = await ask('api.example.com', '/api/audit/v1/entries?operation=stores.create&limit=1', {
      headers: json,
    })
    const { data } = contract.audit.list.response.parse(JSON.parse(await text(audit)))
    expect(data).toMatchObject([{ address: '127.0.0.1' }])

    const large = Buffer.alloc(3_000_000, ' ')
    for (const [path, headers, code] of [
      ['/api/public/v1/stores/create', json, 'body_too_large'],
      ['/api/public/v1/plugins/v2/deploy', { ...json, Authorization: 'Bearer none' }, 'api_key_invalid'],
    ] as const) {
      const refused = await ask('api.example.com', path, { headers, body: large })
      expect(await text(refused)).toContain(`"code":"${code}"`)
    }

    const stream = await ask('api.example.com', '/api/events/v1/stream', { headers: json })
    const [first] = await once(stream, 'data')
    expect(String(first)).toMatch(/^(?:id|event|data|retry|:)/)
    stream.destroy()

    expect((await ask('api.example.com', '/metrics')).statusCode).toBe(404)
    const script = await ask('vault.example.com', '/v1/tillwright.js')
    expect([script.statusCode, script.headers['content-type']]).toEqual([200, expect.stringContaining('javascript')])
    const page = await ask('nothing.plugins.example-pages.com', '/')
    expect([page.statusCode, await text(page)]).toEqual([404, expect.not.stringContaining('<center>nginx')])

    const plain = plainRequest({ host: '127.0.0.1', port: ports.http, path: '/console', headers: { Host: hosts[0] } })
    plain.end()
    const [moved] = await once(plain, 'response')
    expect([moved.statusCode, moved.headers.location]).toEqual([301, 'https://api.example.com/console'])
  },
)
