import type { Fleet } from '../world/fleet.ts'
import type { Site } from '../world/platforms.ts'

/**
 * A process that reached the database within this time has renewed its lease, and knows whether it is still a member.
 */
const AT_WORK_MS = 3_000

/**
 * A process that serves and reaches the database is a recorded member, so that the rows it has taken are its own. One
 * that was taken for dead is no longer a member, and must join again under another id.
 *
 * @returns A second check. A process that is missing in both under the same id has continued although it counts as
 * dead.
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
