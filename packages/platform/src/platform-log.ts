import { destination, pino, type Logger } from 'pino'
import type { Config } from './config.ts'

/** Should a secret ever get into a line, it is cut out there. */
const redact = ['*.authorization', '*.apiKey', '*.card', '*.number', '*.cvc', '*.serviceToken', '*.secret']

/**
 * Lines of JSON, one for each request and each event of the platform's own.
 *
 * @param file Appended to; the standard output unless given.
 */
export function createPlatformLog({ logLevel }: Pick<Config, 'logLevel'>, file?: string): Logger {
  return pino({ level: logLevel, redact, base: null }, destination({ dest: file ?? 1, mode: 0o600, sync: false }))
}
