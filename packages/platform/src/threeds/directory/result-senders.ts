import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ThreedsProviderName } from '@tillwright/contract'
import type { Services } from '../../request-context.ts'
import { listDirectoryRows } from './settings.ts'

/** How often a file is read again: a certificate that was added is taken within this time. */
const READ_EVERY_MS = 60_000
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Tells whose directory servers a client certificate belongs to: which providers take results from its holder. */
export type ResultSenders = (certificate: X509Certificate) => Promise<ThreedsProviderName[]>

interface Pinned {
  /** SHA-256 of each certificate, as Node writes it. */
  fingerprints: ReadonlySet<string>
  readAtMs: number
}

/**
 * The directory servers whose certificates operators have put into the files of `resultCertificates`. The certificates
 * themselves are compared: the authority of a card scheme issues them to merchants' servers too. A file that cannot be
 * read leaves what it held before.
 */
export function resultSenders({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): ResultSenders {
  const files = new Map<string, Pinned>()

  async function pinnedIn(path: string): Promise<ReadonlySet<string>> {
    const known = files.get(path)
    const nowMs = clock.now()
    if (known !== undefined && nowMs - known.readAtMs < READ_EVERY_MS) return known.fingerprints
    try {
      const certificates = await readResultCertificates(path)
      const fingerprints = new Set(certificates.map(({ fingerprint256 }) => fingerprint256))
      files.set(path, { fingerprints, readAtMs: nowMs })
      return fingerprints
    } catch (error) {
      log.error(
        { err: error, path },
        'the certificates of directory servers cannot be read; those of before stay in use',
      )
      return known?.fingerprints ?? new Set()
    }
  }

  return async (certificate) => {
    const nowMs = clock.now()
    if (nowMs < certificate.validFromDate.getTime() || nowMs > certificate.validToDate.getTime()) return []
    const senders: ThreedsProviderName[] = []
    for (const { name, settings } of await listDirectoryRows(db)) {
      if (settings.resultCertificates === null) continue
      if ((await pinnedIn(settings.resultCertificates)).has(certificate.fingerprint256)) senders.push(name)
    }
    return senders
  }
}

/** @throws {Error} For a file that cannot be read, or holds no certificate in PEM. */
export async function readResultCertificates(path: string): Promise<X509Certificate[]> {
  const certificates = (await readFile(path, 'utf8')).match(PEM_CERTIFICATE) ?? []
  if (certificates.length === 0) throw new Error(`${path} holds no certificate in PEM`)
  return certificates.map((pem) => new X509Certificate(pem))
}

/**
 * Tells operators at start of providers whose challenges can never succeed, because their results are refused.
 *
 * @param certificateHeader The header that the proxy hands a client's certificate on in.
 */
export async function tellOfRefusedResults(
  { db, log }: Pick<Services, 'db' | 'log'>,
  certificateHeader: string | undefined,
): Promise<void> {
  for (const { name, settings } of await listDirectoryRows(db)) {
    const missing = whyRefused(settings, certificateHeader)
    if (missing !== null) log.error({ provider: name }, `results of 3-D Secure challenges are refused: ${missing}`)
  }
}

/** Why results of a provider's directory servers are refused, with the fix; `null` where they are taken. */
export function whyRefused(
  { resultCertificates }: { resultCertificates: string | null },
  certificateHeader: string | undefined,
): string | null {
  if (certificateHeader === undefined) {
    return 'set TILLWRIGHT_CLIENT_CERT_HEADER to the header in which the proxy hands on client certificates'
  }
  if (resultCertificates !== null) return null
  return 'name them with "tillwright threeds update PROVIDER --result-certificates FILE"'
}
