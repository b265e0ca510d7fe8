import type { Fleet } from '../world/fleet.ts'
import type { Site } from '../world/platforms.ts'

/** Whoever has reached the database within this time has beaten as well, and knows whether it is on record. */
const AT_WORK_MS = 3_000

/**
 * Who serves and reaches the database is on record as a member, so that what it has taken is its own. One that was taken
 * for dead is none any more, and must join again under another id.
 *
 * @returns A second look: who is missing at both under the same id has gone on as a dead one.
 */
export function missingMembers({ server, world }: Site, living: Fleet['living']): () => string[] {
  const missing = () => {
    const members = new Set(server.rows('SELECT id FROM processes', []).map(({ id }) => String(id)))
    return new Map(
      living().flatMap(({ host, link, platform, isServing }) => {
        const id = platform?.services.cluster.self.id
        const isAtWork = isServing && world.scheduler.nowMs - link.inTouch().untilMs < AT_WORK_MS
        return id === undefined || !isAtWork || members.has(id) ? [] : [[id, host.name] as const]
      }),
    )
  }
  const before = missing()
  return () =>
    [...missing()]
      .filter(([id]) => before.has(id))
      .map(([id, name]) => `members: ${name} is at work as ${id}, which counts as dead`)
}
