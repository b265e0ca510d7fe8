import { fail, ok, type Finding } from './finding.ts'

/** The oldest Node that the platform runs on: its SQLite and its TypeScript need it. */
const OLDEST = [22, 22, 2] as const

/** Whether Node is new enough. `version` is as in `process.versions.node`. */
export function checkNode(version: string): Finding {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  const at = OLDEST.findIndex((part, index) => part !== parts[index])
  const isOld = at !== -1 && (parts[at] ?? 0) < (OLDEST[at] ?? 0)
  if (!isOld) return ok(`Node ${version}`)
  return fail(`Node ${version} is too old`, `install Node ${OLDEST.join('.')} or newer, such as the LTS of nodejs.org`)
}
