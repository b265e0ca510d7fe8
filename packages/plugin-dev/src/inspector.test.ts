import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Binding, DevPlatform } from './binding/index.ts'
import { inspector, type InspectingPage } from './inspector.ts'

/** A platform whose every answer has this status. */
async function answering(status: number): Promise<DevPlatform> {
  const server = createServer((_, answer) => answer.writeHead(status).end())
  await once(server.listen(0, 'localhost'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on TCP
  const makePublishableKey = async () => null
  const apiUrl = `http://localhost:${port}`
  return { environment: 'local', apiUrl, vaultUrl: apiUrl, apiKey: 'test_sk_0', storeId: null, makePublishableKey }
}

test('a session that goes on where its platform has moved to is read there', async () => {
  let platform = await answering(401)
  const preview = { sessionId: 'fsn_1', token: '', stepId: '' }
  const inspecting = inspector(() => ({ platform, preview }) as Binding)
  onTestFinished(() => inspecting.stop())
  const heard: string[] = []
  const page: InspectingPage = { send: (_, { events }) => void heard.push(String(events.missing)) }
  inspecting.watch(page, null)
  await expect.poll(() => heard.at(-1)).toContain('status 401')
  platform = await answering(403)
  inspecting.watch(page, null)
  await expect.poll(() => heard.at(-1)).toContain('status 403')
})
