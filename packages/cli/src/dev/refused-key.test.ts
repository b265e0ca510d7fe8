import { readFile } from 'node:fs/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createClient } from '@tillwright/client'
import type { DevEvent } from '@tillwright/plugin-dev'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { simplePlugin } from '../testing/simple-plugin.ts'
import { type RunningDevelopment, startDevelopment } from '../testing/start-development.ts'
import { type Run, tillwright } from '../testing/tillwright.ts'

let development: RunningDevelopment
const trusted = getCACertificates('default')
beforeAll(async () => {
  development = await startDevelopment()
  setDefaultCACertificates([...trusted, await readFile(development.trust.NODE_EXTRA_CA_CERTS, 'utf8')])
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await development.stop()
})

/** Runs `tillwright dev` for a plugin on the development platform, with a key in the environment. */
async function devWith(key: string): Promise<Run> {
  const folder = await simplePlugin('', [{ name: 'Plain' }])
  const args = ['dev', folder, '--target', 'development', '--url', development.apiUrl, '--json', '--port', '0']
  return tillwright(args, { ...development.trust, XDG_CONFIG_HOME: folder, TILLWRIGHT_API_KEY: key })
}

/** The platform, as its administrator reaches it. */
function administrator() {
  return createClient({ apiKey: development.apiKey, baseUrl: development.apiUrl })
}

function eventsOf(run: Run): DevEvent[] {
  const lines = run.printed().out.split('\n')
  return lines.flatMap((line): DevEvent[] => (line.startsWith('{') ? [JSON.parse(line)] : []))
}

test('a key that may not do what pages need is told all of it, after whose it is and where it is from', async () => {
  const { key, apiKey } = await administrator().apiKeys.create({ kind: 'secret', roles: [], scopes: ['products:read'] })
  const dev = await devWith(key)
  expect(await dev.ended).toBe(4)
  const { err } = dev.printed()
  expect(err).toContain(`development ${development.apiUrl} ${apiKey.accountId}, with TILLWRIGHT_API_KEY\n`)
  expect(err).toContain('need the scopes products:read, products:write, funnels:read and funnels:write')
  expect(err).toContain('name one with "tillwright login --store"')
})

test('a key that is rolled while pages are shown is a problem that names it, its replacement and where it is from', async () => {
  const admin = administrator()
  const { key, apiKey } = await admin.apiKeys.create({ kind: 'secret', roles: ['org:admin'], scopes: [] })
  const dev = await devWith(key)
  const ready = await vi.waitFor(
    () => {
      const event = eventsOf(dev).find(({ type }) => type === 'ready')
      if (event?.type !== 'ready') throw new Error(`It is not ready: ${JSON.stringify(dev.printed())}`)
      return event
    },
    { timeout: 60_000 },
  )
  const rolled = await admin.apiKeys.roll({ keyId: apiKey.id, overlapHours: 0 })
  development.advance(2_000) // the platform may know the key for a second
  expect((await fetch(`${ready.url}/__tillwright/renew`, { method: 'POST' })).status).toBe(500)
  const [problem] = await vi.waitFor(() => {
    const event = eventsOf(dev).findLast(({ type }) => type === 'problems')
    if (event?.type !== 'problems') throw new Error('There is no problem.')
    return event.problems
  })
  expect(problem?.rule).toMatch(
    new RegExp(
      `${apiKey.id}, was rolled, and ended at \\S+; use its replacement, ${rolled.apiKey.id}\\. It is the one in TILLWRIGHT_API_KEY`,
    ),
  )
  expect(problem?.fix).toMatch(/^Start again with another TILLWRIGHT_API_KEY/)
  expect(JSON.stringify(dev.printed())).not.toContain(key)
  dev.child.kill('SIGINT')
  expect(await dev.ended).toBe(0)
})
