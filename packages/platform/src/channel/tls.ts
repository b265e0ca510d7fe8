import { X509Certificate } from 'node:crypto'

/** The TLS identity of a process on a channel, and the authority it trusts. PEM texts. */
export interface ChannelTls {
  cert: string
  key: string
  /** The authority that has issued the certificates of all processes, and no others. */
  ca: string
}

/** TLS 1.3 alone, with both sides' certificates checked against the channel's own authority. */
export function secured({ cert, key, ca }: ChannelTls) {
  return { cert, key, ca, minVersion: 'TLSv1.3', rejectUnauthorized: true } as const
}

/** When a PEM certificate ends, in milliseconds since the Unix epoch; of several in one text, the first one. */
export function certificateEndMs(pem: string): number {
  return Date.parse(new X509Certificate(pem).validTo)
}
