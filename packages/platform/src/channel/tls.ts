import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { wrongSetting } from '../runtime/index.ts'

/** The TLS identity of a process on a channel, and the authority it trusts. PEM texts. */
export interface ChannelTls {
  cert: string
  key: string
  /** The authority that has issued the certificates of all processes, and no others. */
  ca: string
}

/**
 * TLS 1.3 alone, with both sides' certificates checked against the channel's own authority.
 *
 * @throws {ConfigError} If one of the three is damaged, or the key is not that of the certificate.
 */
export function secured({ cert, key, ca }: ChannelTls) {
  const options = { cert, key, ca, minVersion: 'TLSv1.3', rejectUnauthorized: true } as const
  try {
    createSecureContext(options)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw wrongSetting(
      'TILLWRIGHT_CHANNEL_CERT',
      `cannot be used with TILLWRIGHT_CHANNEL_KEY and TILLWRIGHT_CHANNEL_CA (${why}); name the files of one process.`,
    )
  }
  return options
}

/** When a PEM certificate ends, in milliseconds since the Unix epoch; of several in one text, the first one. */
export function certificateEndMs(pem: string): number {
  return Date.parse(new X509Certificate(pem).validTo)
}
