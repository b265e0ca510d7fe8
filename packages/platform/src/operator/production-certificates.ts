import { readFile } from 'node:fs/promises'
import { certificateEndMs } from '../channel/index.ts'
import type { Config } from '../config.ts'
import type { Database } from '../storage/index.ts'
import { type DirectoryRow, listDirectoryRows, readResultCertificates } from '../threeds/index.ts'
import { listAllWallets, type WalletSettings } from '../vault/index.ts'
import type { OperatorServices } from './operator-services.ts'
import { fail, ok, type ProductionFinding, warn } from './production-finding.ts'

const DAY_MS = 24 * 3_600_000
const WARN_DAYS = 21
const FAIL_DAYS = 3

/** Checks when certificates end: of the channel between roles, of Apple Pay, and of 3-D Secure. */
export async function certificateFindings({ db }: OperatorServices, config: Config): Promise<ProductionFinding[]> {
  const nowMs = Date.now()
  return [
    ...ofChannel(config, nowMs),
    ...(await ofWallets(db, nowMs)),
    // No other role reads these files.
    ...(config.roles.has('vault') ? await ofThreeds(db, nowMs) : []),
  ]
}

function ofChannel({ channel }: Config, nowMs: number): ProductionFinding[] {
  if (channel === undefined) return []
  const fix = 'renew the file, and restart the processes of this role one after the other'
  return [
    ofPem('TILLWRIGHT_CHANNEL_CERT', channel.tls.cert, { nowMs, fix }),
    ofPem('TILLWRIGHT_CHANNEL_CA', channel.tls.ca, { nowMs, fix }),
  ]
}

async function ofWallets(db: Database, nowMs: number): Promise<ProductionFinding[]> {
  const wallets = await listAllWallets(db)
  return wallets.flatMap(({ accountId, settings }) => ofWallet(accountId, settings, nowMs))
}

/** Pages use the newest key; the former ones open what is under way. Keys of Google Pay have no certificate. */
function ofWallet(accountId: string, settings: WalletSettings, nowMs: number): ProductionFinding[] {
  if (settings.wallet === 'google_pay') return []
  const processing = settings.keys.at(-1)?.expiresAt ?? null
  const what = (certificate: string) => `the ${certificate} certificate of Apple Pay of ${accountId}`
  const fixOf = (option: string) =>
    `make a new one at Apple, and "tillwright wallets rotate apple_pay --account ${accountId} ${option} FILE"`
  return [
    ofEnd(what('merchant identity'), Date.parse(settings.identityExpiresAt), { nowMs, fix: fixOf('--identity') }),
    ...(processing === null
      ? []
      : [ofEnd(what('payment processing'), Date.parse(processing), { nowMs, fix: fixOf('--key') })]),
  ]
}

async function ofThreeds(db: Database, nowMs: number): Promise<ProductionFinding[]> {
  const perProvider = (await listDirectoryRows(db)).map((row) => ofProvider(row, nowMs))
  return (await Promise.all(perProvider)).flat()
}

async function ofProvider({ name, settings }: DirectoryRow, nowMs: number): Promise<ProductionFinding[]> {
  const { clientCertificate: own, resultCertificates: senders } = settings
  const renew = 'renew it and its key under the same names; they are read again within a minute'
  return [
    ...(own === null ? [] : [ofPem(`3-D Secure, ${own}`, await textOf(own), { nowMs, fix: renew })]),
    ...(senders === null ? [] : await ofResultSenders(name, senders, nowMs)),
  ]
}

/** The file keeps former certificates beside those that replace them: of one subject the one that ends last counts. */
async function ofResultSenders(provider: string, path: string, nowMs: number): Promise<ProductionFinding[]> {
  const certificates = await readResultCertificates(path).catch(() => [])
  if (certificates.length === 0) return [unreadable(`3-D Secure, ${path}`)]
  const ends = new Map<string, number>()
  for (const { subject, validTo } of certificates) {
    ends.set(subject, Math.max(ends.get(subject) ?? 0, Date.parse(validTo)))
  }
  const fix = `add the one that the directory server of ${provider} shows from then on; the file is read again within a minute`
  return [...ends].map(([subject, endMs]) =>
    ofEnd(`3-D Secure, ${path}, ${subject.replaceAll('\n', ', ')}`, endMs, { nowMs, fix }),
  )
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

interface Judging {
  nowMs: number
  fix: string
}

function ofPem(setting: string, pem: string, judging: Judging): ProductionFinding {
  try {
    return ofEnd(setting, certificateEndMs(pem), judging)
  } catch {
    return unreadable(setting)
  }
}

function unreadable(setting: string): ProductionFinding {
  return fail(`${setting}: holds no certificate that can be read`, 'name a file with a certificate in PEM')
}

function ofEnd(certificate: string, endMs: number, { nowMs, fix }: Judging): ProductionFinding {
  const days = Math.floor((endMs - nowMs) / DAY_MS)
  const what = `${certificate}: is valid for ${days} days`
  if (days < FAIL_DAYS) return fail(what, fix)
  return days < WARN_DAYS ? warn(what, fix) : ok(what)
}
