import type { Plan, PlannedEvent } from './plan.ts'
import type { Result } from './run-seed.ts'
import type { MessageFault } from './world/faults.ts'

/**
 * Shrinks the world of a failing seed for as long as the same invariant fails: fewer people, fewer processes, fewer
 * faults, a shorter time. Each way of shrinking is tried once, as far as it goes, because every try runs a world.
 *
 * @param run Runs a plan.
 * @returns The smallest failing plan found, and its result.
 */
export async function shrink(
  failing: { plan: Plan; result: Result },
  run: (plan: Plan) => Promise<Result>,
): Promise<{ plan: Plan; result: Result }> {
  const kind = kindOf(failing.result)
  let smallest = failing
  for (const smaller of waysFrom(failing.plan)) {
    for (let plan = smaller(smallest.plan); plan !== null; plan = smaller(smallest.plan)) {
      const result = await run(plan)
      if (kindOf(result) !== kind) break
      smallest = { plan, result }
    }
  }
  return smallest
}

/** The name of the broken invariant. */
export function kindOf({ problems: [first] }: Result): string | null {
  return first === undefined ? null : (/^[\w ]+:/.exec(first)?.[0] ?? first)
}

/** A plan with one thing less; `null` if there is nothing to take away. */
type Smaller = (plan: Plan) => Plan | null

/** The ways of shrinking, the most effective first. */
function waysFrom({ events, phases }: Plan): Smaller[] {
  // The keys of rates are faults.
  const faults = [...new Set(phases.flatMap(({ rates }) => Object.keys(rates) as MessageFault[]))]
  return [
    (plan) => (plan.events.length > 0 ? { ...plan, events: [] } : null),
    (plan) => without(faults, plan),
    (plan) => (plan.phases.length > 1 ? { ...plan, phases: plan.phases.slice(0, 1) } : null),
    (plan) => (plan.month ? { ...plan, month: false } : null),
    (plan) => (plan.upgrade === null ? null : { ...plan, upgrade: null }),
    (plan) => (plan.hurriers > 0 ? { ...plan, hurriers: 0 } : null),
    (plan) => (plan.operators > 0 ? { ...plan, operators: 0 } : null),
    (plan) => (plan.authors + plan.visitors > 0 ? { ...plan, authors: 0, visitors: 0 } : null),
    (plan) => (plan.buyers > 1 ? { ...plan, buyers: plan.buyers >> 1 } : null),
    (plan) => (plan.processes > 1 ? { ...plan, processes: 1 } : null),
    ...faults.map(
      (fault): Smaller =>
        (plan) =>
          without([fault], plan),
    ),
    ...events.map(
      (event): Smaller =>
        (plan) =>
          withoutEvent(event, plan),
    ),
    (plan) => (plan.buyers > 1 ? { ...plan, buyers: plan.buyers - 1 } : null),
    (plan) => (plan.busyMs > 10_000 ? { ...plan, busyMs: plan.busyMs / 2 } : null),
  ]
}

function without(faults: readonly MessageFault[], plan: Plan): Plan | null {
  if (!plan.phases.some(({ rates }) => faults.some((fault) => fault in rates))) return null
  const phases = plan.phases.map(({ rates, ...phase }) => ({
    ...phase,
    rates: Object.fromEntries(Object.entries(rates).filter(([name]) => !faults.some((fault) => fault === name))),
  }))
  return { ...plan, phases }
}

function withoutEvent(event: PlannedEvent, plan: Plan): Plan | null {
  return plan.events.includes(event) ? { ...plan, events: plan.events.filter((each) => each !== event) } : null
}

/** The difference between a plan and its seed's own, as the option of a command that runs it again. */
export function changesOf(plan: Plan, own: Plan): string {
  const changed = Object.entries(plan).filter(
    // The names are those of the plan.
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(own[name as keyof Plan]),
  )
  return changed.length === 0 ? '' : ` --plan '${JSON.stringify(Object.fromEntries(changed))}'`
}
