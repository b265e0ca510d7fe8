import type { Config } from '../config.ts'
import { type HeldCertificate, heldCertificates } from '../oversight/index.ts'
import type { OperatorServices } from './operator-services.ts'
import { fail, ok, type ProductionFinding, warn } from './production-finding.ts'

const DAY_MS = 24 * 3_600_000
const WARN_DAYS = 21
const FAIL_DAYS = 3

/** Checks when certificates end: of the channel between roles, of Apple Pay, and of 3-D Secure. */
export async function certificateFindings(
  { db }: OperatorServices,
  { channel, roles }: Config,
): Promise<ProductionFinding[]> {
  const nowMs = Date.now()
  const held = await heldCertificates(db, { channel, readsThreeds: roles.has('vault') })
  return held.map((certificate) => findingOf(certificate, nowMs))
}

function findingOf({ name, endMs, renewal }: HeldCertificate, nowMs: number): ProductionFinding {
  if (endMs === null)
    return fail(`${name}: holds no certificate that can be read`, 'name a file with a certificate in PEM')
  const days = Math.floor((endMs - nowMs) / DAY_MS)
  const what = `${name}: is valid for ${days} days`
  if (days < FAIL_DAYS) return fail(what, renewal)
  return days < WARN_DAYS ? warn(what, renewal) : ok(what)
}
