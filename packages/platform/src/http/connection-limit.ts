import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { descriptorLimit, type Telemetry } from '../telemetry/index.ts'

/** Both origins' connections together, kept below what the process's descriptors allow. */
export interface ConnectionLimit {
  /**
   * Watches a server's connections.
   *
   * @returns Whether a connection is over the limit: its first request is refused and no other read.
   */
  guard: (server: Server) => (socket: Socket) => boolean
}

/** Of the descriptors, what is kept for the database, files, processors and webhooks. */
const KEPT_SHARE = 0.25
const KEPT_MIN = 96
/** How many connections over the limit are open at a time to be told so; further ones are closed without a word. */
const ANSWERED_SHARE = 0.1
/** How long such a connection may take to send its request and to read the refusal. */
const ANSWERED_WITHIN_MS = 2_000
/** Below this, a busy day or a slow receiver of webhooks uses them up. */
const ENOUGH_DESCRIPTORS = 4_096
const LOG_EVERY_MS = 10_000

/**
 * Limits connections to what the descriptors of this process allow: where the system runs out of them, it drops connections
 * without telling anyone, and files and the database cannot be opened either.
 *
 * @param descriptors `null` where the system has no known limit: then connections are counted, and none is refused.
 */
export function connectionLimit(
  { log, telemetry }: { log: Logger; telemetry: Telemetry },
  descriptors: number | null = descriptorLimit(),
): ConnectionLimit {
  if (descriptors !== null && descriptors < ENOUGH_DESCRIPTORS) {
    log.warn(
      { descriptors, enough: ENOUGH_DESCRIPTORS },
      'few descriptors: raise the limit of open files (ulimit -n, or LimitNOFILE in a systemd unit)',
    )
  }
  const max = descriptors === null ? Infinity : descriptors - Math.max(KEPT_MIN, Math.ceil(descriptors * KEPT_SHARE))
  const answered = new Set<Socket>()
  let open = 0
  const drops = dropLog(log, max)

  telemetry.observe(() => [
    { metric: 'tillwright.http.connections', value: open },
    ...(max === Infinity ? [] : [{ metric: 'tillwright.http.connections.limit', value: max } as const]),
  ])
  for (const isAnswered of ['true', 'false']) count(isAnswered, 0)

  function count(isAnswered: string, by: number): void {
    telemetry.count('tillwright.http.connections.dropped', { 'tillwright.connection.answered': isAnswered }, by)
  }

  /** Closes a connection, if it can be with an answer to its first request. */
  function drop(socket: Socket): void {
    const isAnswered = answered.size < max * ANSWERED_SHARE
    count(String(isAnswered), 1)
    drops.note()
    if (!isAnswered) return void socket.destroy()
    answered.add(socket)
    const deadline = setTimeout(() => socket.destroy(), ANSWERED_WITHIN_MS)
    socket.once('close', () => {
      clearTimeout(deadline)
      answered.delete(socket)
    })
  }

  return {
    guard(server) {
      server.on('connection', (socket: Socket) => {
        if (open >= max) return drop(socket)
        open += 1
        socket.once('close', () => void (open -= 1))
      })
      // Without a listener, a connection that cannot be accepted would end the process.
      server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'))
      return (socket) => answered.has(socket)
    },
  }
}

/** Tells of dropped connections at most every ten seconds: a flood must not fill the log too. */
function dropLog(log: Logger, limit: number): { note: () => void } {
  let dropped = 0
  let timer: NodeJS.Timeout | null = null
  function tell(): void {
    timer = null
    if (dropped === 0) return
    log.error({ dropped, limit }, 'connections were refused: there are as many as the limit of open files allows')
    dropped = 0
    timer = setTimeout(tell, LOG_EVERY_MS).unref()
  }
  return {
    note() {
      dropped += 1
      if (timer === null) tell()
    },
  }
}
