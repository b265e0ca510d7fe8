import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way of a piece of data through the proxy. */
export type Direction = 'to-server' | 'to-client'

/**
 * When connections go silent by themselves: at the first piece of data that matches. It is delivered before the silence
 * with `pass`, and held back without.
 */
export interface Trap {
  direction: Direction
  match: (data: Buffer) => boolean
  pass?: boolean
}

/** A TCP proxy on loopback between a client and a server, whose network a test can make fail. */
export interface FaultyProxy {
  port: number
  /** The same address with the proxy in the server's place. */
  through(url: string): string
  /**
   * From now on nothing arrives, on connections that exist and on new ones, which are accepted. No peer is notified:
   * data waits for `heal`, as it would wait to be sent again.
   */
  silence(directions?: readonly Direction[]): void
  /** Makes every connection that is caught silent in both directions; several traps at once are possible. */
  trap(trap: Trap): void
  /** How many connections have been caught by traps. */
  trapped(): number
  /** Ends silence and traps, and delivers what has waited. */
  heal(): void
  /** Delays each piece of data by so many milliseconds. */
  delay(ms: number): void
  /** Resets every connection. */
  cut(): void
  /** Whether new connections are refused, by a reset. */
  refuse(refused: boolean): void
  /** Ends when every connection is gone. */
  stop(): Promise<void>
}

interface Pair {
  client: Socket
  server: Socket
  isTrapped: boolean
  waiting: { [direction in Direction]: Buffer[] }
}

const BOTH: readonly Direction[] = ['to-server', 'to-client']

/** Starts a proxy on a free port of loopback in front of a server there. */
export async function startFaultyProxy(serverPort: number): Promise<FaultyProxy> {
  const network = new Network()
  const listener = createServer((client) => network.join(client, serverPort))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo // a TCP server that listens has one
  return {
    port,
    through(url) {
      const address = new URL(url)
      address.hostname = '127.0.0.1'
      address.port = String(port)
      return address.href
    },
    silence: (directions = BOTH) => directions.forEach((direction) => network.silent.add(direction)),
    trap: (trap) => void network.traps.push(trap),
    trapped: () => network.trapped,
    heal: () => network.heal(),
    delay: (ms) => void (network.delayMs = ms),
    cut: () => network.cut(),
    refuse: (refused) => void (network.isRefusing = refused),
    async stop() {
      network.cut()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** Connections through the proxy, and what is wrong with them. */
class Network {
  readonly pairs = new Set<Pair>()
  readonly silent = new Set<Direction>()
  traps: Trap[] = []
  trapped = 0
  delayMs = 0
  isRefusing = false

  join(client: Socket, serverPort: number): void {
    client.on('error', () => {})
    if (this.isRefusing) return void client.resetAndDestroy()
    const server = connect(serverPort, '127.0.0.1').on('error', () => {})
    const pair: Pair = { client, server, isTrapped: false, waiting: { 'to-server': [], 'to-client': [] } }
    this.pairs.add(pair)
    client.setNoDelay(true).on('data', (data) => this.forward(pair, 'to-server', data))
    server.setNoDelay(true).on('data', (data) => this.forward(pair, 'to-client', data))
    client.on('close', () => {
      this.pairs.delete(pair)
      server.destroy()
    })
    // The end of a connection is something that the network has to deliver, too.
    server.on('close', () => {
      if (!pair.isTrapped && !this.silent.has('to-client')) client.destroy()
    })
  }

  /** @param read A socket without an encoding reads buffers. */
  forward(pair: Pair, direction: Direction, read: Buffer | string): void {
    const data = Buffer.from(read as Buffer)
    if (this.isHeld(pair, direction, data)) return void pair.waiting[direction].push(data)
    const target = direction === 'to-server' ? pair.server : pair.client
    if (this.delayMs === 0) target.write(data)
    else setTimeout(() => target.write(data), this.delayMs)
  }

  isHeld(pair: Pair, direction: Direction, data: Buffer): boolean {
    if (pair.isTrapped || this.silent.has(direction)) return true
    const trap = this.traps.find((each) => each.direction === direction && each.match(data))
    if (trap === undefined) return false
    pair.isTrapped = true
    this.trapped += 1
    return trap.pass !== true
  }

  heal(): void {
    this.silent.clear()
    this.traps = []
    for (const pair of this.pairs) {
      pair.isTrapped = false
      for (const direction of BOTH) {
        for (const data of pair.waiting[direction].splice(0)) this.forward(pair, direction, data)
      }
      if (pair.server.destroyed) pair.client.destroy()
    }
  }

  cut(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
  }
}
