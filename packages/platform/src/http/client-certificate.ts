import { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/**
 * The client certificate that the proxy in front has verified and hands on in a header. Only a trusted proxy's word counts,
 * which `clientAddress` has to have checked before. Proxies write it as
 *
 * - `:MIIC...:`, the base64 of its DER between colons: RFC 9440, `Client-Cert`;
 * - the base64 of its DER: HAProxy's `ssl_c_der,base64`, Traefik's `X-Forwarded-Tls-Client-Cert`;
 * - PEM with percent signs: nginx's `$ssl_client_escaped_cert`, AWS's `X-Amzn-Mtls-Clientcert`.
 *
 * @param name The header's, in lower case.
 * @returns `null` where the header is absent, was sent twice or holds anything else.
 */
export function readClientCertificate(headers: IncomingHttpHeaders, name: string): X509Certificate | null {
  const header = headers[name]
  if (typeof header !== 'string') return null
  const base64 = unescaped(header).replaceAll(MARKS, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return null // no certificate
  }
}

/** What stands around and between the base64: PEM's lines, RFC 9440's colons. */
const MARKS = /^\s*(?:-----BEGIN CERTIFICATE-----|:)|(?:-----END CERTIFICATE-----|:)\s*$|\s/g

function unescaped(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return ''
  }
}
