import { connect } from 'node:tls'
import type { Config } from './config.ts'
import { heldCertificates } from './oversight/index.ts'
import type { Services } from './request-context.ts'

/** What of the settings says which certificates there are. */
type Certified = Pick<Config, 'roles' | 'channel' | 'apiUrl' | 'vaultUrl' | 'pluginsUrl'>

/** How long certificates are believed to be what they were. */
const LOOK_EVERY_MS = 10 * 60_000
const HANDSHAKE_MS = 1_500

/** Observes when the first certificate of each kind ends. */
export function observeCertificates(services: Services, config: Certified): void {
  const { clock, telemetry } = services
  let looked: Promise<Map<string, number>> | null = null
  let lookedAtMs = 0
  telemetry.observe(async () => {
    if (looked === null || performance.now() - lookedAtMs > LOOK_EVERY_MS) {
      lookedAtMs = performance.now()
      looked = firstEnds(services, config)
      looked.catch(() => (looked = null)) // asked again at the next scrape
    }
    return [...(await looked)].map(([kind, endMs]) => ({
      metric: 'tillwright.certificate.expiry',
      value: Math.max(0, endMs - clock.machineNow()) / 1_000,
      attributes: { 'tillwright.certificate.kind': kind },
    }))
  })
}

/**
 * When the first certificate of each kind ends. Those of the public addresses are looked at from here, as clients see them;
 * an address that cannot be reached from this process is left out.
 */
async function firstEnds({ db }: Services, config: Certified): Promise<Map<string, number>> {
  const { channel, roles, apiUrl, vaultUrl, pluginsUrl } = config
  const addresses = Object.entries({ api: apiUrl, vault: vaultUrl, plugins: pluginsUrl })
  const seen = await Promise.all(addresses.map(async ([kind, url]) => ({ kind, endMs: await publicEndMs(kind, url) })))
  const held = await heldCertificates(db, { channel, readsThreeds: roles.has('vault') })
  const ends = new Map<string, number>()
  for (const { kind, endMs } of [...seen.filter((each) => each.endMs !== null), ...held]) {
    ends.set(kind, Math.min(ends.get(kind) ?? Infinity, endMs ?? 0))
  }
  return ends
}

/** When the certificate at a public address ends; `null` if there is none, or it cannot be seen from here. */
async function publicEndMs(kind: string, address: string | undefined): Promise<number | null> {
  if (address?.startsWith('https://') !== true) return null
  const { hostname, port } = new URL(address)
  const host = kind === 'plugins' ? `any.${hostname}` : hostname // each deployment has a name below it
  return new Promise((resolve) => {
    // Nothing is sent: what counts is until when it is valid, not by whom it is issued.
    const options = { host, port: Number(port || 443), servername: host, rejectUnauthorized: false }
    const socket = connect({ ...options, timeout: HANDSHAKE_MS }, () => {
      const endMs = Date.parse(socket.getPeerCertificate().valid_to)
      socket.destroy()
      resolve(Number.isNaN(endMs) ? null : endMs)
    })
    const unseen = () => {
      socket.destroy()
      resolve(null)
    }
    socket.once('error', unseen).once('timeout', unseen)
  })
}
