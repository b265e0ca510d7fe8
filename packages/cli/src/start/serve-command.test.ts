import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../.ci/free-port.ts'
import { runCommand } from '../testing/run-command.ts'

/** Answers `/readyz` with a status. */
async function startProbed(status: number): Promise<string> {
  const server = createServer(({ url }, response) => response.writeHead(url === '/readyz' ? status : 404).end('said'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port) // it listens on TCP
}

test('health asks the port of the process’s role, and fails unless it is ready', async () => {
  const [ready, unready] = [await startProbed(200), await startProbed(503)]
  const asked = (settings: Record<string, string>) =>
    runCommand(['health'], { TILLWRIGHT_HOST: '0.0.0.0', ...settings })
  const ports = { TILLWRIGHT_PORT: ready, TILLWRIGHT_VAULT_PORT: unready }
  expect(await asked(ports)).toEqual({ code: 0, out: 'said\n', err: '' })
  for (const role of ['api', 'worker', 'vault,api', 'all'])
    expect((await asked({ ...ports, TILLWRIGHT_ROLE: role })).code).toBe(0)
  for (const role of ['vault', 'vault,worker']) {
    const { code, err } = await asked({ ...ports, TILLWRIGHT_ROLE: role })
    expect([code, err]).toEqual([1, `error http://127.0.0.1:${unready}/readyz answers 503: said\n`])
  }
  const port = await freePort()
  const { err } = await asked({ TILLWRIGHT_PORT: String(port) })
  expect(err).toBe(`error http://127.0.0.1:${port}/readyz does not answer (ECONNREFUSED).\n`)
})
