import { X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stateFolder } from '../binding/state-file.ts'

/** A key and its certificate, as PEM. */
export interface Certificate {
  key: string
  cert: string
}

/** Browsers refuse certificates that are good for longer. Source: CA/Browser Forum, ballot SC-081. */
const GOOD_FOR_DAYS = 90
/** One that is about to run out is made anew. */
const LEFT_MIN_MS = 24 * 60 * 60 * 1_000

/**
 * The certificate of this machine's dev servers: kept with the plugin's local things, made anew when it runs out or does not
 * name one of the hosts. It is signed by itself, so that a browser asks once whether to go on.
 *
 * @param hosts Names and addresses that the server is reached by.
 */
export async function localCertificate(root: string, hosts: readonly string[], nowMs: number): Promise<Certificate> {
  const file = join(await stateFolder(root), 'certificate.json')
  const kept = await readKept(file)
  if (kept !== null && isGood(kept.cert, hosts, nowMs)) return kept
  const made = await makeCertificate(hosts, nowMs)
  await writeFile(file, JSON.stringify(made), { mode: 0o600 })
  return made
}

async function makeCertificate(hosts: readonly string[], nowMs: number): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const names = hosts.map((host) =>
    /^[\d.]+$|:/.test(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const),
  )
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Tillwright dev server' }], {
    keyType: 'ec',
    notBeforeDate: new Date(nowMs - 60_000),
    notAfterDate: new Date(nowMs + GOOD_FOR_DAYS * 24 * 60 * 60 * 1_000),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: names },
    ],
  })
  return { key, cert }
}

async function readKept(file: string): Promise<Certificate | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}

function isGood(cert: string, hosts: readonly string[], nowMs: number): boolean {
  try {
    const read = new X509Certificate(cert)
    const named = hosts.every((host) => read.checkHost(host) !== undefined || read.checkIP(host) !== undefined)
    return named && Date.parse(read.validTo) - nowMs > LEFT_MIN_MS
  } catch {
    return false
  }
}
