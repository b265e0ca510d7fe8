import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './start-command.ts'

test('a free port is used as requested, and a taken one is skipped', async () => {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on TCP
  const found = await freePort('localhost', port)
  expect(found).toBeGreaterThan(port)
  expect(await freePort('localhost', found)).toBe(found)
})
