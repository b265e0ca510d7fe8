import { destination, pino, type Logger } from 'pino'
import type { Config } from './config.ts'

/** Should a secret ever get into a line, in the line itself or up to two objects deep, it is cut out there. */
const redact = ['authorization', 'apiKey', 'card', 'number', 'cvc', 'serviceToken', 'jwe', 'secret'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
])

/** Lines are written together: a system call for each would be the dearest part of a small request. */
const FLUSH_EVERY_MS = 100

/**
 * Lines of JSON, one for each request and each event of the platform's own.
 *
 * @param file Appended to; the standard output unless given.
 */
export function createPlatformLog({ logLevel }: Pick<Config, 'logLevel'>, file?: string): Logger {
  return pino(
    { level: logLevel, redact, base: null },
    destination({ dest: file ?? 1, mode: 0o600, sync: false, minLength: 4_096, periodicFlush: FLUSH_EVERY_MS }),
  )
}
