import type { DatabaseUrl, Host } from './database-url.ts'
import { type HostFailure, NotPrimary, unreachable } from './failures.ts'
import { openSession, type Purpose, type Session } from './session.ts'

/** The servers of one database URL, and which of them to ask first. Shared by all connections to them. */
export interface Hosts {
  /**
   * Opens a connection to the first of the servers that is fit for the purpose.
   *
   * @throws {UnsafeDatabase} {DatabaseUnavailable} With what each of them said.
   */
  open(purpose: Purpose, limits: OpenLimits): Promise<Session>
  /** Whether a replica has been promoted since, so that what this connection writes would not be on the new primary. */
  isOutdated(session: Session): boolean
  /** Notes that a server did not answer or takes no writes, so that the others are asked before it. */
  avoid(host: Host): void
}

/** `untilMs` is of `performance.now()`; `lost` is called once the connection has ended. */
export interface OpenLimits {
  untilMs: number
  lost: () => void
}

/** How long one server may take to be ready, from the first packet to the last setting. */
const OPEN_MS = 6_000
/** Milliseconds without an answer after which the next server is tried in parallel. */
const STAGGER_MS = 400

export function hostsOf({ hosts }: DatabaseUrl): Hosts {
  let preferred = 0
  let newestTimeline = 0
  const inOrder = () => [...hosts.slice(preferred), ...hosts.slice(0, preferred)]
  const isOutdated = ({ timeline }: Session) => timeline > 0 && timeline < newestTimeline

  async function attempt(host: Host, purpose: Purpose, limits: OpenLimits): Promise<Session> {
    const untilMs = Math.min(limits.untilMs, performance.now() + Math.min(OPEN_MS, host.connectTimeoutMs))
    const session = await openSession(host, { purpose, untilMs, lost: limits.lost })
    if (isOutdated(session)) {
      session.destroy()
      throw new NotPrimary('is a former primary: another server has been promoted')
    }
    newestTimeline = Math.max(newestTimeline, session.timeline)
    return session
  }

  return {
    async open(purpose, limits) {
      const session = await firstOf(inOrder(), (host) => attempt(host, purpose, limits))
      preferred = hosts.indexOf(session.host)
      return session
    },
    isOutdated,
    avoid(host) {
      if (hosts[preferred] === host) preferred = (preferred + 1) % hosts.length
    },
  }
}

/** Tries hosts in order, each as soon as the one before has failed or is slow, and takes the first that succeeds. */
function firstOf(hosts: readonly Host[], attempt: (host: Host) => Promise<Session>): Promise<Session> {
  return new Promise((resolve, reject) => {
    const failures: HostFailure[] = []
    let next = 0
    let isDone = false
    let timer: NodeJS.Timeout | undefined
    function tryNext(): void {
      clearTimeout(timer)
      const host = hosts[next++]
      if (host === undefined || isDone) return
      timer = setTimeout(tryNext, STAGGER_MS)
      attempt(host).then(succeed, (error: unknown) => fail(host, error))
    }
    function succeed(session: Session): void {
      if (isDone) return session.destroy()
      isDone = true
      clearTimeout(timer)
      resolve(session)
    }
    function fail(host: Host, error: unknown): void {
      failures.push({ host: host.name, error })
      if (failures.length < hosts.length) return tryNext()
      isDone = true
      clearTimeout(timer)
      reject(unreachable(failures))
    }
    tryNext()
  })
}
