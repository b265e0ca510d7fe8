import { createHash } from 'node:crypto'
import { openSimulation, type Simulation } from './open-simulation.ts'
import { type Plan, planOf } from './plan.ts'
import type { Result } from './run-seed.ts'
import { changesOf, shrink } from './shrink.ts'
import { timelineOf } from './timeline.ts'
import { eventFaults, messageFaults } from './world/faults.ts'
import { STARTS_AT_MS } from './world/world.ts'

/** The output of a command. */
interface Output {
  say: (text: string) => void
  save: (file: string, text: string) => void
}

interface One {
  seed: string
  /** Replacements for parts of the seed's plan. */
  change: Partial<Plan>
  /** The HTML file for the timeline; without it the timeline is printed. */
  html: string | undefined
  /** The option that plants a bug; empty for none. */
  planting: string
}

/** Runs one seed and prints it step by step. @returns Whether it passed. */
export async function runOne({ seed, change, html }: One, { say, save }: Output): Promise<boolean> {
  const simulation = await openSimulation()
  const plan = { ...planOf(seed), ...change }
  const result = await simulation.run(plan, { keepsLines: true })
  if (html === undefined) {
    for (const { atMs, who, what } of result.lines) say(`${((atMs - STARTS_AT_MS) / 1_000).toFixed(3)} ${who}: ${what}`)
  } else save(html, timelineOf(result, plan))
  say(summaryOf(result))
  return result.problems.length === 0
}

interface Many {
  from: number
  count: number
  /** Whether each seed is run twice, and must log the same bytes. */
  twice: boolean
  planting: string
}

/** Runs seeds until one fails, and shrinks that one. @returns Whether all passed. */
export async function runMany({ from, count, twice, planting }: Many, { say }: Output): Promise<boolean> {
  const simulation = await openSimulation()
  const total = { seeds: 0, worldMs: 0, realMs: 0, steps: 0, calls: 0 }
  const counts = new Map<string, number>()
  const logs = createHash('sha256')
  const processorMs = process.cpuUsage()
  for (let number = from; number < from + count; number++) {
    const plan = planOf(String(number))
    const result = await simulation.run(plan)
    if (result.problems.length > 0) return tellFailure({ plan, result, planting }, simulation, say)
    if (twice && (await simulation.run(plan)).hash !== result.hash) {
      say(`seed ${number} has given two logs`)
      return false
    }
    logs.update(result.hash)
    total.seeds += 1
    total.worldMs += result.worldMs
    total.realMs += result.realMs
    total.steps += result.steps
    for (const [name, times] of result.counts) counts.set(name, (counts.get(name) ?? 0) + times)
    if (total.seeds % 100 === 0) say(`${total.seeds} seeds`)
  }
  const { user, system } = process.cpuUsage(processorMs)
  say(`all logs ${logs.digest('hex')}`)
  say(JSON.stringify(Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))))
  say(
    `${total.seeds} seeds, ${total.steps} steps: ${Math.round(total.worldMs / 60_000)} minutes of the world in ${Math.round(total.realMs / 1_000)} s, ` +
      `${Math.round(total.worldMs / ((user + system) / 1_000))} times faster than real time by the processor`,
  )
  return true
}

async function tellFailure(
  { plan, result, planting }: { plan: Plan; result: Result; planting: string },
  simulation: Simulation,
  say: Output['say'],
): Promise<false> {
  say(summaryOf(result))
  say(`after ${struckIn(result).join(', ')}`)
  const smallest = await shrink({ plan, result }, (smaller) => simulation.run(smaller))
  say(`smaller: ${summaryOf(smallest.result)}`)
  const changes = changesOf(smallest.plan, planOf(plan.seed))
  say(
    `node packages/platform/simulation/main.ts --seed ${plan.seed}${planting}${changes} --html seed-${plan.seed}.html`,
  )
  return false
}

/** The faults that have struck in a world. */
function struckIn({ counts }: Result): string[] {
  return [...counts.keys()].filter((name) => name in messageFaults || name in eventFaults).toSorted()
}

function summaryOf({ seed, problems, hash, steps, worldMs }: Result): string {
  const about = `seed ${seed}, ${steps} steps, ${Math.round(worldMs / 1_000)} s of the world, log ${hash}`
  return problems.length === 0 ? `well: ${about}` : `FAILED: ${about}\n  ${problems.join('\n  ')}`
}
