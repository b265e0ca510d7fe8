import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

/**
 * Runs the shop's server with a wiretap on both of its sides: `node record-traffic.ts <file> <port>`, with the
 * environment of the server, which listens on the port. Every byte that buyers, the platform and the server exchange is
 * appended to the file.
 */
async function recordTraffic(file: string, shopPort: number): Promise<void> {
  const { PORT = '', TILLWRIGHT_API_URL = '' } = process.env
  await tap(Number(PORT), shopPort, file)
  const apiPort = await tap(0, Number(new URL(TILLWRIGHT_API_URL).port), file)
  const server = spawn(process.execPath, [fileURLToPath(new URL('../src/server.ts', import.meta.url))], {
    stdio: 'inherit',
    env: { ...process.env, PORT: String(shopPort), TILLWRIGHT_API_URL: `http://localhost:${apiPort}` },
  })
  process.on('SIGTERM', () => {
    server.kill('SIGTERM')
    process.exit()
  })
}

/** Listens on a port, 0 for any, and hands on to another what comes, in both directions. Answers the port. */
async function tap(port: number, target: number, file: string): Promise<number> {
  const tapped = createServer((near) => {
    const far = connect(target, 'localhost')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => appendFileSync(file, bytes))
      from.on('error', () => to.destroy()).pipe(to)
    }
  })
  await once(tapped.listen(port, 'localhost'), 'listening')
  return (tapped.address() as AddressInfo).port // a TCP server that listens has an address with a port
}

await recordTraffic(process.argv[2] ?? '', Number(process.argv[3]))
