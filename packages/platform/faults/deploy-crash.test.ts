import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { fraction, seededRandomness } from '../src/runtime/randomness.ts'
import { deployBody } from '../test/plugins/deploy-plugin.ts'
import { visit } from '../test/plugins/visit.ts'
import { sendRequest } from '../test/send-request.ts'
import { engines, newPlace } from './new-place.ts'
import { startProcess } from './platform-process.ts'

const ROUNDS = soaks ? 40 : 2
const FILES = 60
/** A deployment of so many files takes about as long on a busy machine. */
const KILL_WITHIN_MS = 400
const HOST = 'crash.example.com'
const { deploy, promoteToCustomDomain } = contract.plugins
const { list, view } = contract.pluginManagement

test.each(engines)(
  'kill -9 in a deployment leaves all of it or nothing, and it can be sent again, on %s',
  { timeout: 300_000 },
  async (engine) => {
    const randomness = seededRandomness(`deploy crash on ${engine}`)
    const place = await newPlace(engine)
    let sentAgain: ReturnType<typeof bodyOf> | null = null
    for (let round = 0; round < ROUNDS; round++) {
      const { local, killNine } = await startProcess(place)
      const ask = (method: string, path: string, body?: unknown) =>
        sendRequest(method, local.apiUrl + path, { key: local.apiKey, ...(body !== undefined && { body }) })

      // 200 if it was whole before the kill, 201 if there was nothing of it.
      if (sentAgain !== null) expect([200, 201]).toContain((await ask('POST', deploy.path, sentAgain)).status)
      else await deployFirst(local.storeId, ask)
      await expectWhole(local, ask)

      const body = bodyOf(local.storeId, round + 1)
      const answer = ask('POST', deploy.path, body).catch(() => null)
      await delay(fraction(randomness) * KILL_WITHIN_MS)
      await killNine()
      await answer
      sentAgain = body
    }
    const { local } = await startProcess(place)
    const ask = (method: string, path: string, body?: unknown) =>
      sendRequest(method, local.apiUrl + path, { key: local.apiKey, ...(body !== undefined && { body }) })
    await expectWhole(local, ask)
    expect([200, 201]).toContain((await ask('POST', deploy.path, sentAgain)).status)
    await expectWhole(local, ask)
    expect((await visit(local, { host: HOST })).text).toContain(`round ${ROUNDS} `)
  },
)

type Ask = (method: string, path: string, body?: unknown) => ReturnType<typeof sendRequest>

function bodyOf(storeId: string, round: number) {
  const content = (n: number) => `round ${round} file ${n}`
  return deployBody(storeId, {
    manifest: { pluginId: 'crash', version: `1.${round}.0` },
    inlineAssets: [
      { path: 'index.html', content: content(0) },
      ...Array.from({ length: FILES - 1 }, (_, n) => ({ path: `assets/${n + 1}.txt`, content: content(n + 1) })),
    ],
  })
}

async function deployFirst(storeId: string, ask: Ask): Promise<void> {
  expect((await ask('POST', deploy.path, bodyOf(storeId, 0))).status).toBe(201)
  const route = { pluginId: 'crash', storeId, hostname: HOST, path: '/' }
  expect((await ask('POST', promoteToCustomDomain.path, route)).status).toBe(201)
}

/** Every deployment that is known has all of its files, byte for byte, and the domain shows the one that is active. */
async function expectWhole(local: { apiUrl: string; storeId: string }, ask: Ask): Promise<void> {
  const listed = list.response.parse((await ask('GET', `${list.path}?storeId=${local.storeId}&state=all`)).body)
  expect(listed.data.filter(({ state }) => state === 'active')).toHaveLength(1)
  for (const { id, state } of listed.data) {
    const { files } = view.response.parse((await ask('GET', view.path.replace('{deploymentId}', id))).body)
    expect(files).toHaveLength(FILES)
    if (state !== 'active') continue
    for (const { path, sha256 } of files.filter((file) => file.path !== 'index.html')) {
      const served = await visit(local, { host: HOST, path: `/${path}` })
      expect([served.status, hash('sha256', served.bytes)]).toEqual([200, sha256])
    }
    expect((await visit(local, { host: HOST })).text).toContain(id)
  }
}
