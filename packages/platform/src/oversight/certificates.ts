import { readFile } from 'node:fs/promises'
import { certificateEndMs, type ChannelTls } from '../channel/index.ts'
import type { Database } from '../storage/index.ts'
import { type DirectoryRow, listDirectoryRows, readResultCertificates } from '../threeds/index.ts'
import { listAllWallets, type WalletSettings } from '../vault/index.ts'

/** A certificate that this platform holds, which somebody has to renew before it ends. */
export interface HeldCertificate {
  kind:
    | 'channel'
    | 'channel_ca'
    | 'apple_pay_identity'
    | 'apple_pay_processing'
    | 'threeds_client'
    | 'threeds_directory'
  /** In words: the setting or the file that it is in, or whose it is. */
  name: string
  /** Unix milliseconds; `null` where there is none that can be read. */
  endMs: number | null
  /** How it is renewed. */
  renewal: string
}

/**
 * Certificates of the channel between roles, of Apple Pay, and of 3-D Secure. Those of public addresses are not among them:
 * a proxy has them.
 *
 * @param process `channel`: of this process. `readsThreeds`: whether it has the files of 3-D Secure, as the role `vault` does.
 */
export async function heldCertificates(
  db: Database,
  { channel, readsThreeds }: { channel: { tls: ChannelTls } | undefined; readsThreeds: boolean },
): Promise<HeldCertificate[]> {
  return [
    ...(channel === undefined ? [] : ofChannel(channel.tls)),
    ...(await listAllWallets(db)).flatMap(ofWallet),
    ...(readsThreeds ? await ofThreeds(db) : []),
  ]
}

function ofChannel({ cert, ca }: ChannelTls): HeldCertificate[] {
  const renewal = 'renew the file, and restart the processes of this role one after the other'
  return [
    { kind: 'channel', name: 'TILLWRIGHT_CHANNEL_CERT', endMs: endOf(cert), renewal },
    { kind: 'channel_ca', name: 'TILLWRIGHT_CHANNEL_CA', endMs: endOf(ca), renewal },
  ]
}

/** Pages use the newest key; the former ones open what is under way. Keys of Google Pay have no certificate. */
function ofWallet({ accountId, settings }: { accountId: string; settings: WalletSettings }): HeldCertificate[] {
  if (settings.wallet === 'google_pay') return []
  const processing = settings.keys.at(-1)?.expiresAt ?? null
  const nameOf = (certificate: string) => `the ${certificate} certificate of Apple Pay of ${accountId}`
  const renewalOf = (option: string) =>
    `make a new one at Apple, and "tillwright wallets rotate apple_pay --account ${accountId} ${option} FILE"`
  const identity: HeldCertificate = {
    kind: 'apple_pay_identity',
    name: nameOf('merchant identity'),
    endMs: Date.parse(settings.identityExpiresAt),
    renewal: renewalOf('--identity'),
  }
  if (processing === null) return [identity]
  const name = nameOf('payment processing')
  const endMs = Date.parse(processing)
  return [identity, { kind: 'apple_pay_processing', name, endMs, renewal: renewalOf('--key') }]
}

async function ofThreeds(db: Database): Promise<HeldCertificate[]> {
  return (await Promise.all((await listDirectoryRows(db)).map(ofProvider))).flat()
}

async function ofProvider({ name: provider, settings }: DirectoryRow): Promise<HeldCertificate[]> {
  const { clientCertificate: own, resultCertificates: senders } = settings
  const renewal = 'renew it and its key under the same names; they are read again within a minute'
  const ofSenders = senders === null ? [] : await ofDirectory(provider, senders)
  if (own === null) return ofSenders
  const endMs = endOf(await readFile(own, 'utf8').catch(() => ''))
  return [{ kind: 'threeds_client', name: `3-D Secure, ${own}`, endMs, renewal }, ...ofSenders]
}

/** The file keeps former certificates beside those that replace them: of one subject the one that ends last counts. */
async function ofDirectory(provider: string, path: string): Promise<HeldCertificate[]> {
  const kind = 'threeds_directory'
  const renewal = `add the one that the directory server of ${provider} shows from then on; the file is read again within a minute`
  const certificates = await readResultCertificates(path).catch(() => [])
  if (certificates.length === 0) return [{ kind, name: `3-D Secure, ${path}`, endMs: null, renewal }]
  const ends = new Map<string, number>()
  for (const { subject, validTo } of certificates) {
    ends.set(subject, Math.max(ends.get(subject) ?? 0, Date.parse(validTo)))
  }
  return [...ends].map(([subject, endMs]) => {
    return { kind, name: `3-D Secure, ${path}, ${subject.replaceAll('\n', ', ')}`, endMs, renewal }
  })
}

function endOf(pem: string): number | null {
  try {
    return certificateEndMs(pem)
  } catch {
    return null
  }
}
