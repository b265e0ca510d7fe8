import crypto, { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import dns from 'node:dns'
import { Resolver } from 'node:dns/promises'
import filePromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import timerPromises from 'node:timers/promises'
import { currentHost, type Host } from './host.ts'
import type { Scheduler, Step } from './scheduler.ts'

/**
 * Simulates the machine under the platform: Node's functions for clocks, waiting, randomness and other threads use the
 * caller's host. The platform's own decisions get their clock, randomness, database and network as arguments; the rest
 * is replaced here, at the Node API, so that neither the platform nor a package can bypass the simulation by forgetting
 * an argument.
 */
export function installMachines(): Machines {
  const real = { setImmediate: globalThis.setImmediate, now: performance.now.bind(performance) }
  const elsewhere = workElsewhere()
  replaceTimers()
  replaceClocks()
  replaceRandomness()
  replaceWorkElsewhere(elsewhere)
  syncBuiltinESMExports()
  const turn = () => new Promise<void>((resolve) => void real.setImmediate(resolve))
  return {
    inWorld(scheduler) {
      world = scheduler
    },
    async quiet() {
      do await turn()
      while (elsewhere.underWay() > 0)
      const [escaped] = process.getActiveResourcesInfo().filter((resource) => !STANDING.has(resource))
      if (escaped !== undefined) throw new Error(`A process has asked the real machine for something: ${escaped}.`)
    },
    realMs: real.now,
  }
}

/** The machines that the platforms of a world run on. */
export interface Machines {
  /** The clock that applies outside of every process. */
  inWorld(scheduler: Scheduler): void
  /** Resolves once everything possible without a further step of the world has been done. */
  quiet(): Promise<void>
  /** Real time in milliseconds. */
  realMs(): number
}

/** Node's resource types that the real process always has open, such as its standard output. */
const STANDING = new Set(['PipeWrap', 'TTYWrap', 'TCPSocketWrap', 'Immediate', 'SignalWrap', 'ProcessWrap'])

let world: Scheduler | null = null

/** The host of the caller. @throws Outside of every process, since the world has steps and no timers. */
function host(what: string): Host {
  const at = currentHost()
  if (at === null) throw new Error(`${what} was called outside of any simulated process.`)
  return at
}

/** A timer of a simulated machine, with the methods of Node's. */
class SimulatedTimer {
  readonly #set: () => Step
  #step: Step
  readonly #repeats: boolean

  constructor(run: () => void, { at, delayMs, repeats }: { at: Host; delayMs: number; repeats: boolean }) {
    this.#repeats = repeats
    this.#set = () =>
      at.after(Math.max(delayMs, repeats ? 1 : 0), 'timer', () => {
        if (this.#repeats) this.#step = this.#set()
        run()
      })
    this.#step = this.#set()
  }

  cancel(): void {
    this.#step.isCanceled = true
  }

  refresh(): this {
    this.cancel()
    this.#step = this.#set()
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  close(): this {
    this.cancel()
    return this
  }

  [Symbol.dispose](): void {
    this.cancel()
  }
}

type Callback = (...given: unknown[]) => void

function replaceTimers(): void {
  const timer =
    (what: string, repeats: boolean) =>
    (callback: Callback, delayMs: unknown, ...given: unknown[]) =>
      new SimulatedTimer(() => callback(...given), { at: host(what), delayMs: Number(delayMs ?? 0), repeats })
  const clear = (handle: unknown) => {
    if (handle instanceof SimulatedTimer) handle.cancel()
  }
  const immediate = (callback: Callback, ...given: unknown[]) =>
    new SimulatedTimer(() => callback(...given), { at: host('setImmediate'), delayMs: 0, repeats: false })
  Object.assign(globalThis, {
    setTimeout: timer('setTimeout', false),
    setInterval: timer('setInterval', true),
    setImmediate: immediate,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  })
  Object.assign(timerPromises, {
    setTimeout: (delayMs: number, value: unknown, options?: { signal?: AbortSignal }) => wait(delayMs, value, options),
    setImmediate: (value: unknown, options?: { signal?: AbortSignal }) => wait(0, value, options),
  })
  AbortSignal.timeout = (delayMs) => {
    const ending = new AbortController()
    const end = () => ending.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    host('AbortSignal.timeout').after(delayMs, 'timer', end)
    return ending.signal
  }
}

function wait(delayMs: number, value: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> {
  const at = host('timers/promises')
  return new Promise((resolve, reject) => {
    const aborted = () => new DOMException('The operation was aborted', 'AbortError')
    if (signal?.aborted === true) return reject(aborted())
    const giveUp = () => {
      step.isCanceled = true
      reject(aborted())
    }
    const step = at.after(delayMs, 'timer', () => {
      signal?.removeEventListener('abort', giveUp)
      resolve(value)
    })
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}

function replaceClocks(): void {
  const RealDate = Date
  const now = () => currentHost()?.wallMs() ?? Math.floor(world?.nowMs ?? RealDate.now())
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
  const started = performance.now()
  const monotonic = () => currentHost()?.monotonicMs() ?? (world === null ? started : world.nowMs)
  Object.defineProperty(performance, 'now', { value: monotonic, configurable: true })
}

/** X25519 keys are any 32 bytes. Source: RFC 8410, section 7, the beginning of the PKCS #8 document. */
const X25519_PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')

function replaceRandomness(): void {
  const bytes = (length: number) => Buffer.from(host('A random number').dice.bytes(length))
  const fill = (into: Uint8Array) => {
    into.set(bytes(into.byteLength))
    return into
  }
  const uuid = () => {
    const hex = bytes(16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  const keyPair = (type: string): { publicKey: KeyObject; privateKey: KeyObject } => {
    if (type !== 'x25519') throw new Error(`A key pair of the kind ${type} would differ in each run.`)
    const key = Buffer.concat([X25519_PKCS8, bytes(32)])
    const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }
  const randomInt = (from: number, to?: number) => {
    const [least, limit] = to === undefined ? [0, from] : [from, to]
    return least + host('randomInt').dice.below(limit - least)
  }
  Object.assign(crypto, {
    randomBytes: bytes,
    randomFillSync: fill,
    randomUUID: uuid,
    randomInt,
    generateKeyPairSync: keyPair,
  })
  Math.random = () => host('Math.random').dice.fraction()
  Object.defineProperties(globalThis.crypto, {
    getRandomValues: { value: (into: Uint8Array) => fill(into) },
    randomUUID: { value: uuid },
  })
}

/**
 * Work on other threads is executed for real, one item after the other, and the world waits for it, because a seed
 * cannot decide which thread ends first.
 */
function workElsewhere() {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  return {
    underWay: () => count,
    inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
      count += 1
      const done = last.then(work)
      last = done.catch(() => {}).finally(() => (count -= 1))
      return done
    },
  }
}

const SUBTLE = ['decrypt', 'deriveBits', 'deriveKey', 'digest', 'encrypt', 'exportKey', 'importKey', 'sign', 'verify']
const FILES = ['access', 'mkdir', 'readFile', 'readdir', 'rename', 'rm', 'stat', 'writeFile']
type LookedUp = (error: null, addresses: readonly (typeof PUBLIC)[]) => void
/** Every host name of the world resolves to this address. */
const PUBLIC = { address: '203.0.114.7', family: 4 }
/** The free space of every disk, in blocks of one byte. */
const DISK = { bavail: 50_000_000_000, blocks: 100_000_000_000, bsize: 1 }

function replaceWorkElsewhere({ inOrder }: ReturnType<typeof workElsewhere>): void {
  const replace = (target: object, names: readonly string[]) => {
    for (const name of names) {
      const work: unknown = Reflect.get(target, name)
      if (typeof work !== 'function') throw new Error(`Node has no ${name} any more.`)
      const replaced = function (this: unknown, ...given: unknown[]): Promise<unknown> {
        return inOrder(async () => Reflect.apply(work, this, given))
      }
      Object.defineProperty(target, name, { value: replaced, configurable: true, writable: true })
    }
  }
  replace(Object.getPrototypeOf(globalThis.crypto.subtle), SUBTLE)
  replace(filePromises, FILES)
  Object.assign(filePromises, { statfs: async () => DISK })
  Object.assign(dns, { lookup: (_name: string, _options: object, done: LookedUp) => done(null, [PUBLIC]) })
  Object.assign(Resolver.prototype, { resolve4: async () => [PUBLIC.address], resolve6: async () => [] })
}
