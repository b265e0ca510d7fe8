import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * Below what kernels give to `listen(0)` and to connections on their way out (Linux from 32768, others from 49152): a
 * port from there may be another process's a millisecond after it was found free.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_767
/** How many one worker has for itself, so that two never find the same one. */
const PORTS_OF_A_WORKER = 199
const WORKERS = Math.floor((LAST_PORT - FIRST_PORT) / PORTS_OF_A_WORKER)

const worker = Number(process.env['VITEST_WORKER_ID'] ?? 0) % WORKERS
/** Begins anywhere, since a second run on this machine has the same workers. */
let taken = Math.floor(Math.random() * PORTS_OF_A_WORKER)

/**
 * A TCP port that no program listens on and that no other test is given, for a server whose address must be known before
 * it starts. A server that may choose takes port 0. For tests alone: a program that one starts is given its ports, since
 * it would begin anywhere among those of the same worker, and find one that its test holds for another.
 *
 * @throws {Error} When all ports of this worker are listened on.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_OF_A_WORKER; tried++) {
    taken = (taken + 1) % PORTS_OF_A_WORKER
    const port = FIRST_PORT + worker * PORTS_OF_A_WORKER + taken
    if (await isFree(port)) return port
  }
  throw new Error(`All ${PORTS_OF_A_WORKER} ports that worker ${worker} may use are listened on.`)
}

/** On every address, so that a listener on any one of them is met. */
async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port), 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}

/** Whether a program on loopback takes connections at a port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)))
    socket.on('error', () => resolve(false))
  })
}
