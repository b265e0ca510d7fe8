import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { tillwright } from '../testing/tillwright.ts'

const key = { TILLWRIGHT_API_KEY: 'test_sk_000000000000000000000000000000000000' }

test.for([
  [413, 'its limit has to be 40 MB'],
  [302, 'pass that one as --url'],
  [403, 'check its address (--url, or that of the login) and any proxy in between'],
] as const)(
  'a page of a proxy with the status %i is no answer of the platform, and what to do is said',
  async ([status, fix]) => {
    const proxy = createHttpServer((_, answer) =>
      answer.writeHead(status, { location: '/login' }).end('<h1>nginx</h1>'),
    )
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as AddressInfo // a listening TCP server has one
    const { code, err } = await runCommand(['whoami', '--target', 'local', '--url', `http://127.0.0.1:${port}`], key)
    expect([code, err]).toEqual([6, expect.stringContaining(fix)])
    expect(err).toContain(`status ${status}`)
  },
)

test('a platform that does not answer is waited for aloud, and Ctrl-C ends it', async () => {
  const silent = createServer((socket) => socket.resume())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo // a listening TCP server has one
  const url = `http://127.0.0.1:${port}`
  const run = await tillwright(['payments', 'list', '--target', 'local', '--url', url], key)
  await vi.waitFor(() => expect(run.printed().err).toContain(`Waiting for ${url}`), { timeout: 15_000 })
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(130)
})
