import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { pino, type Logger } from 'pino'
import type { Config } from './config.ts'
import { traceFields } from './telemetry/index.ts'

/** Should a secret ever get into a line, in the line itself or up to two objects deep, it is cut out there. */
const redact = ['authorization', 'apiKey', 'card', 'number', 'cvc', 'serviceToken', 'jwe', 'secret'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
])

/** Lines are written together: a system call for each would be the dearest part of a small request, even one for twenty of them is a tenth. */
const FLUSH_EVERY_MS = 100
const FLUSH_CHARS = 65_536
/** How much waits for a reader that has stopped reading, or a disk that is full; what comes then is dropped and counted. */
const WAITING_MAX_CHARS = 16 * 1024 * 1024
/** A line tells of those that were dropped as soon as no more than this waits. */
const ROOM_AGAIN_CHARS = WAITING_MAX_CHARS / 2
/** How long a process that ends waits for a reader to take the last lines. */
const LAST_LINES_MS = 500
const ASK_EVERY_MS = 20
/** Pino's number of the level. */
const WARN = 40

/**
 * Lines of JSON, one for each request and each event of the platform's own. A log that cannot be written, because its
 * reader is gone or does not read, or its disk is full, keeps nothing else from being done: neither a request nor the end
 * of the process. Lines of recorded traces carry `trace_id` and `span_id`.
 *
 * @param file Appended to; the standard output unless given.
 */
export function createPlatformLog({ logLevel }: Pick<Config, 'logLevel'>, file?: string): Logger {
  const fd = file === undefined ? standardOutput() : openSync(file, 'a', 0o600)
  return pino({ level: logLevel, redact, base: null, mixin: traceFields }, lineWriter(fd))
}

/** How many lines of all logs of this process were dropped, because too many waited to be written. */
let dropped = 0
export function droppedLogLines(): number {
  return dropped
}

/**
 * The standard output. A pipe is opened once more, so that a write to a full one fails instead of waiting in a thread that
 * no exit gets past; its other owners keep theirs as it is.
 */
function standardOutput(): number {
  try {
    return fstatSync(1).isFIFO() ? openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK) : 1
  } catch {
    return 1 // whose reader is gone already, or a system without that name
  }
}

interface LineWriter {
  write(line: string): void
  /** Calls back when everything that was there has been written, or could not be. */
  flush(done: (error?: Error | null) => void): void
}

/** The last lines of every log of this process. */
const lastTries = new Set<() => void>()
process.on('exit', () => {
  for (const lastTry of lastTries) lastTry()
})

function lineWriter(fd: number): LineWriter {
  let lines = ''
  /** On its way; what an error has left of it is tried again with the next lines. */
  let sending: Buffer = Buffer.alloc(0)
  let isWriting = false
  /** Lines that were dropped, and that no line has told of. */
  let untold = 0
  lastTries.add(writeLast)
  setInterval(pump, FLUSH_EVERY_MS).unref()
  return {
    write(line) {
      const waiting = lines.length + sending.length
      if (waiting + line.length > WAITING_MAX_CHARS) {
        dropped += 1
        untold += 1
        return
      }
      if (untold > 0 && waiting <= ROOM_AGAIN_CHARS) {
        lines += lineOfDropped(untold)
        untold = 0
      }
      lines += line
      // Failed writes are retried only by the timer.
      if (lines.length >= FLUSH_CHARS && sending.length === 0) pump()
    },
    flush(done) {
      if (isWriting) setTimeout(() => this.flush(done), ASK_EVERY_MS)
      else send(1, done)
    },
  }

  function pump(): void {
    if (isWriting) return
    take()
    send(FLUSH_CHARS, () => {})
  }

  /** Writes until fewer characters than `least` wait: the few that have come during a write would make the next one small. */
  function send(least: number, done: (error?: Error | null) => void): void {
    if (sending.length === 0 && lines.length < least) return done()
    take()
    isWriting = true
    write(fd, sending, (error, written) => {
      isWriting = false
      if (error !== null) return done(error)
      sending = sending.subarray(written)
      send(least, done)
    })
  }

  function take(): void {
    if (sending.length > 0) return
    sending = Buffer.from(lines)
    lines = ''
  }

  function writeLast(): void {
    const endMs = performance.now() + LAST_LINES_MS
    for (take(); sending.length > 0 && performance.now() < endMs; take()) {
      try {
        sending = sending.subarray(writeSync(fd, sending))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ASK_EVERY_MS)
      }
    }
  }
}

/** Not by the log itself, which would write it behind the line that comes now. */
function lineOfDropped(count: number): string {
  const msg = 'lines of the log were dropped here: they could not be written as fast as they came'
  return `${JSON.stringify({ level: WARN, time: Date.now(), dropped: count, msg })}\n`
}
