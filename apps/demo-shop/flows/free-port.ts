import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A TCP port of `localhost` that is currently free. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, 'localhost')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo // a TCP server that listens has an address with a port
  probe.close()
  await once(probe, 'close')
  return port
}
