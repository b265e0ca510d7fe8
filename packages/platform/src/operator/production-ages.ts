import { newestKeys, rings, ringStatus } from '../keys/index.ts'
import { lastBackup } from '../storage/index.ts'
import type { OperatorServices } from './operator-services.ts'
import { fail, ok, type ProductionFinding, warn } from './production-finding.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A day, and the time that a job may take longer than the day before. */
const BACKUP_WARN_MS = 26 * HOUR_MS
const BACKUP_FAIL_MS = 7 * DAY_MS
/** A year, and a month in which it is done. */
const KEY_WARN_DAYS = 400

/** Checks what grows old: backups and encryption keys. */
export async function agesFindings(services: OperatorServices): Promise<ProductionFinding[]> {
  return [...(await ofBackups(services)), ...(await ofKeys(services))]
}

async function ofBackups({ db, clock }: OperatorServices): Promise<ProductionFinding[]> {
  const backup = await lastBackup(db)
  if (backup === null) {
    return [
      warn(
        'no whole backup of this database was ever taken by "tillwright backup"',
        'run "tillwright backup --to PLACE" every day, on another machine or a store of its own',
      ),
    ]
  }
  const ageMs = clock.machineNow() - backup.takenAtMs
  const what = `the newest backup is ${spanOf(ageMs)} old`
  const fix = 'see why its job does not run, and run "tillwright backup --to PLACE"'
  const recency = ageMs > BACKUP_FAIL_MS ? fail(what, fix) : ageMs > BACKUP_WARN_MS ? warn(what, fix) : ok(what)
  return [
    recency,
    backup.verifiedAtMs === null
      ? warn('the newest backup was never proved', 'run "tillwright restore --from PLACE --verify"')
      : ok('the newest backup was proved: it can be restored'),
    ...(backup.missingBlobs > 0
      ? [
          warn(
            `the newest backup lacks ${backup.missingBlobs} files of plugins that the store no longer had`,
            'publish these plugins again; "tillwright backup" lists the files',
          ),
        ]
      : []),
  ]
}

async function ofKeys({ db, clock }: OperatorServices): Promise<ProductionFinding[]> {
  const nowMs = clock.now()
  const perRing = rings.map(async (ring) => {
    const { dataMs, masterMs } = await newestKeys(ring, db)
    const { masterKeys } = await ringStatus(ring, { db, nowMs, columns: [] })
    const days = (sinceMs: number | null) => Math.floor((nowMs - (sinceMs ?? nowMs)) / DAY_MS)
    return [
      ofAge(`the data key of ${ring}`, days(dataMs), `tillwright keys rotate ${ring}`),
      ofAge(`the master key of ${ring}`, days(masterMs), `tillwright keys rotate ${ring} --to NEW`),
      ...(masterKeys.length > 1
        ? [
            warn(
              `the ${ring} open under ${masterKeys.length} master keys: a replacement is not finished`,
              `restart every process with the new key, then "tillwright keys rotate ${ring} --finish"`,
            ),
          ]
        : []),
    ]
  })
  return (await Promise.all(perRing)).flat()
}

function ofAge(key: string, days: number, command: string): ProductionFinding {
  const what = `${key} is ${days} days old`
  return days > KEY_WARN_DAYS ? warn(what, `make a new one with "${command}"; nothing has to stop`) : ok(what)
}

function spanOf(ms: number): string {
  const hours = Math.round(ms / HOUR_MS)
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}
