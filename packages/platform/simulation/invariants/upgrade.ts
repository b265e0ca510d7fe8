import type { Migration } from '../../src/storage/migration.ts'
import { type Action, actionsOf } from '../../src/storage/statements.ts'
import type { Plan } from '../plan.ts'
import { AT_WORK_MS } from '../world/database-link.ts'
import type { Fleet } from '../world/fleet.ts'
import type { PlatformProcess, Site } from '../world/platforms.ts'
import { schemaOfRelease, seriesOf } from '../world/releases.ts'

/**
 * Checks the invariants of an upgrade after each change of the schema: each action of a step is done and noted, or
 * neither; a backfill noted as done has filled every row; and no process is shut out while at work.
 */
export function schemaWatch(site: Site, living: Fleet['living']): () => string[] {
  const { server } = site
  const known = seriesOf('after')
  let oldest = server.oldestSchema()
  let isFilled = false
  return () => {
    const noted = new Map(
      server.rows('SELECT id, state, actions FROM migrations', []).map((row) => [String(row['id']), row]),
    )
    // Once a contraction has begun, only its own steps are checked: it removes what earlier ones made.
    const isTaking = known.some(({ id, phase }) => phase === 'contract' && noted.has(id))
    const problems = known.flatMap((step) => {
      if (step.phase === 'backfill' || isTaking !== (step.phase === 'contract')) return []
      return halfDone(step, Number(noted.get(step.id)?.['actions'] ?? 0), site)
    })
    const fill = known.find(({ phase }) => phase === 'backfill')
    if (!isFilled && noted.get(fill?.id ?? '')?.['state'] === 'done') {
      isFilled = true
      const [row] = server.rows('SELECT count(*) AS n FROM payments WHERE note IS NULL', [])
      if (row?.['n'] !== 0) problems.push(`${Number(row?.['n'])} payments lack what a backfill has filled`)
    }
    const raised = server.oldestSchema()
    if (raised > oldest) problems.push(...living().flatMap((each) => shutOutAtWork(each, raised, site)))
    oldest = raised
    return problems.map((problem) => `upgrade: ${problem}`)
  }
}

function halfDone(step: Exclude<Migration, { phase: 'backfill' }>, done: number, { server }: Site): string[] {
  return actionsOf(step, server.engine).flatMap((action, at) => {
    const isThere = isMade(action, server)
    if (isThere === at < done) return []
    // Actions that run outside of transactions are noted afterwards.
    if (isThere && at === done && action.kind === 'alone') return []
    return [`the action ${at + 1} of ${step.id} is ${isThere ? 'done and not noted' : 'noted and not done'}`]
  })
}

/** Whether the schema has the effect of an action. */
function isMade(action: Action, server: Site['server']): boolean {
  switch (action.kind) {
    case 'column':
      return hasColumn(action.table, action.column, server)
    case 'alone':
      return has(action.index, server) === action.sql.startsWith('CREATE')
    case 'transaction':
      return action.sql.every((sql) => {
        const [, table = '', column = ''] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(sql) ?? []
        if (table !== '') return hasColumn(table, column, server)
        const [, what = '', name = ''] = /^(CREATE|DROP) (?:TABLE|INDEX) (\w+)/.exec(sql) ?? []
        return has(name, server) === (what === 'CREATE')
      })
  }
}

function has(name: string, server: Site['server']): boolean {
  return server.rows('SELECT 1 FROM sqlite_schema WHERE name = ?', [name]).length > 0
}

function hasColumn(table: string, column: string, server: Site['server']): boolean {
  return server.rows('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', [table, column]).length > 0
}

/**
 * A process of an older release must be gone, or have been silent long enough to count as dead. It may have ended its
 * silence just now: then it has to join again first.
 */
function shutOutAtWork({ host, link, release, isServing }: PlatformProcess, oldest: number, { world }: Site): string[] {
  // Silence is measured by the database's clock: setting it makes every process look silent.
  if (world.counts.has('database.clock')) return []
  const { sinceMs, untilMs } = link.inTouch()
  const { nowMs } = world.scheduler
  const isAtWork = nowMs - untilMs < AT_WORK_MS && nowMs - sinceMs >= AT_WORK_MS
  const isShutOut = isServing && schemaOfRelease(release) < oldest && isAtWork
  return isShutOut ? [`schema ${oldest} shuts ${host.name} out, which is of the ${release} release and at work`] : []
}

/** In the end every process serves and is of the newest release, and so is the schema. */
export function unfinishedUpgrade({ site, plan, fleet }: { site: Site; plan: Plan; fleet: Fleet }): string[] {
  if (plan.upgrade === null) return []
  const { server } = site
  const rows = server.rows('SELECT id, state FROM migrations ORDER BY id', [])
  const done = rows.filter(({ state }) => state === 'done').map(({ id }) => id)
  const open = seriesOf('after').filter(({ id }) => !done.includes(id))
  const old = fleet.living().filter(({ release, isServing }) => release !== 'after' || !isServing)
  // A killed process holds it until its lease ends.
  const [{ holder = null } = {}] = server.rows('SELECT holder FROM schema_state WHERE held_until > {now}', [])
  return [
    ...open.map(({ id }) => `the step ${id} is not done`),
    ...old.map(({ host, release }) => `${host.name} is of the ${release} release, or does not serve`),
    ...(holder === null ? [] : ['somebody still holds the schema']),
  ]
}
