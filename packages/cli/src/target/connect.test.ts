import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { tillwright } from '../testing/tillwright.ts'

test('a platform that does not answer is waited for aloud, and Ctrl-C ends it', async () => {
  const silent = createServer((socket) => socket.resume())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo // a listening TCP server has one
  const url = `http://127.0.0.1:${port}`
  const key = { TILLWRIGHT_API_KEY: 'test_sk_000000000000000000000000000000000000' }
  const run = await tillwright(['payments', 'list', '--target', 'local', '--url', url], key)
  await vi.waitFor(() => expect(run.printed().err).toContain(`Waiting for ${url}`), { timeout: 15_000 })
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(130)
})
