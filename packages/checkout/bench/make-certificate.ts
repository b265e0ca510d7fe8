import { execFile } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'

/** A certificate for every host of a run, trusted by the browser through its fingerprint. */
export interface Certificate {
  cert: string
  key: string
  /** SHA-256 of the public key (SPKI), in base64. */
  fingerprint: string
}

/** Makes a certificate of a few days with the machine's `openssl`. */
export async function makeCertificate(): Promise<Certificate> {
  const subject = ['-subj', '/CN=bench', '-days', '2']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '-']
  const { stdout } = await promisify(execFile)('openssl', ['req', '-x509', ...key, ...subject])
  const { publicKey } = new X509Certificate(stdout)
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return { cert: stdout, key: stdout, fingerprint: createHash('sha256').update(spki).digest('base64') }
}
