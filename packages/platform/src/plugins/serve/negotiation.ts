import { acceptedEncoding } from '../../runtime/index.ts'

/** Whether an `Accept-Encoding` header takes Brotli. */
export function acceptsBrotli(header: string | undefined): boolean {
  return acceptedEncoding(header) === 'br'
}
