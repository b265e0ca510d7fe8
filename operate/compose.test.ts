import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../.ci/free-port.ts'
import { createDatabase, dropDatabase } from '../.ci/postgres-database.ts'
import { soaks } from '../.ci/soaks.ts'
import { channelFiles, hasOpenssl } from '../packages/platform/test/channel-files.ts'

const TILLWRIGHT = join(import.meta.dirname, '../packages/cli/src/main.ts')
const server = inject('postgresUrl')

interface Service {
  command?: string[]
  environment: Record<string, string | number>
}

/**
 * No Docker here: each service of ours runs its own command with its own settings as a process of this machine. Replaced is
 * only what names another machine or place: addresses, folders and certificates.
 */
test.skipIf(!soaks || server === null || !hasOpenssl)(
  'the services of compose.yaml migrate, start, are ready and stop (needs PostgreSQL, openssl)',
  { timeout: 240_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'compose-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const database = await createDatabase(server ?? '')
    onTestFinished(() => dropDatabase(server ?? '', database))
    const services = await readServices()
    const ports = {
      api: await freePort(),
      vault: await freePort(),
      worker: await freePort(),
      plugins: await freePort(),
    }
    const channel = await freePort()
    const here = (name: string, port: number, { environment }: Service): Record<string, string> => ({
      PATH: process.env['PATH'] ?? '',
      ...Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)])),
      ...channelFiles(join(folder, 'channel')),
      DATABASE_URL: database,
      TILLWRIGHT_HOME: join(folder, name),
      TILLWRIGHT_HOST: '127.0.0.1',
      ...(name === 'vault' ? { TILLWRIGHT_VAULT_PORT: String(port) } : { TILLWRIGHT_PORT: String(port) }),
      TILLWRIGHT_METRICS_HOST: '127.0.0.1',
      TILLWRIGHT_METRICS_PORT: '0',
      ...('TILLWRIGHT_VAULT_CHANNEL_PORT' in environment && { TILLWRIGHT_VAULT_CHANNEL_PORT: String(channel) }),
      ...('TILLWRIGHT_VAULT_CHANNEL_URL' in environment && {
        TILLWRIGHT_VAULT_CHANNEL_URL: `https://localhost:${channel}`,
      }),
    })
    const run = (name: string, port = 0): ChildProcess => {
      const service = services[name]
      if (service === undefined) throw new Error(`compose.yaml has no service ${name}.`)
      const words = [TILLWRIGHT, ...(service.command ?? ['serve'])] // of the image
      const child = spawn(process.execPath, words, {
        env: here(name, port, service),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(async () => {
        if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
      })
      return child
    }

    // `service_completed_successfully`: nothing of ours starts before.
    const migrate = run('migrate')
    migrate.stdout?.resume()
    const [code] = await once(migrate, 'exit')
    expect(code).toBe(0)
    const running = Object.entries(ports).map(([name, port]) => ({ name, port, child: run(name, port) }))
    for (const { name, port, child } of running) {
      await started(child)
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
      expect([name, ready.status, await ready.text()]).toEqual([name, 200, expect.stringContaining('"ready"')])
    }
    await Promise.all(
      running.map(async ({ name, child }) => {
        child.kill('SIGTERM')
        const [ended] = await once(child, 'exit')
        expect([name, ended]).toEqual([name, 0])
      }),
    )
  },
)

async function readServices(): Promise<Record<string, Service>> {
  const given: Record<string, string> = {
    API_HOST: 'api.example.com',
    VAULT_HOST: 'vault.example.com',
    PLUGINS_HOST: 'plugins.example-pages.com',
    POSTGRES_PASSWORD: 'password',
    TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  const compose = await readFile(join(import.meta.dirname, 'compose.yaml'), 'utf8')
  const filled = compose.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: string) => given[name] ?? name)
  return parse(filled, { merge: true }).services
}

async function started(child: ChildProcess): Promise<void> {
  let output = ''
  for await (const chunk of child.stdout?.setEncoding('utf8') ?? []) {
    output += String(chunk)
    if (!output.includes('"platform started"')) continue
    child.stdout?.resume()
    return
  }
  throw new Error(`It did not start: ${output}`)
}

test('the proxy passes cookies on to the API’s origin, where one signs members in, and to no other', async () => {
  const caddyfile = await readFile(join(import.meta.dirname, 'Caddyfile'), 'utf8')
  const sites = caddyfile.split(/^(?=\S.* \{$)/m)
  const bodyOf = (name: string) => sites.find((site) => site.startsWith(name))
  expect(bodyOf('{$API_HOST}')).not.toContain('import cookieless')
  expect(bodyOf('(platform)')).not.toContain('Cookie')
  expect(bodyOf('{$VAULT_HOST}')).toContain('import cookieless')
  expect(bodyOf('{$VAULT_HOST}')).toContain('header_up -Client-Cert')
  expect(bodyOf('*.{$PLUGINS_HOST}')).toContain('import cookieless')
})
