import type { Plan } from './plan.ts'
import type { Fault } from './world/faults.ts'
import type { Result } from './run-seed.ts'

/** How many smaller worlds are tried. */
const TRIES_MAX = 60

/**
 * Makes the world of a failing seed smaller for as long as the same invariant fails: fewer people, fewer processes, fewer
 * faults, a shorter time.
 *
 * @param run Runs a plan.
 * @returns The smallest plan that was found, with what came of it.
 */
export async function shrink(
  failing: { plan: Plan; result: Result },
  run: (plan: Plan) => Promise<Result>,
): Promise<{ plan: Plan; result: Result }> {
  const kind = kindOf(failing.result)
  let smallest = failing
  let tries = 0
  for (let isSmaller = true; isSmaller && tries < TRIES_MAX;) {
    isSmaller = false
    for (const plan of smallerThan(smallest.plan)) {
      if (++tries > TRIES_MAX) break
      const result = await run(plan)
      if (kindOf(result) !== kind) continue
      smallest = { plan, result }
      isSmaller = true
      break
    }
  }
  return smallest
}

/** The invariant that did not hold. */
export function kindOf({ problems: [first] }: Result): string | null {
  return first === undefined ? null : (/^[\w ]+:/.exec(first)?.[0] ?? first)
}

/** Each is a little smaller, those first that take the most away. */
export function* smallerThan(plan: Plan): Generator<Plan> {
  const { events, phases, buyers, processes, operators, hurriers, month, busyMs } = plan
  if (events.length > 0) yield { ...plan, events: [] }
  if (events.length > 1) yield { ...plan, events: events.slice(0, events.length >> 1) }
  if (phases.some(({ rates }) => Object.keys(rates).length > 0)) {
    yield { ...plan, phases: phases.map((phase) => ({ ...phase, rates: {} })) }
  }
  if (phases.length > 1) yield { ...plan, phases: phases.slice(0, 1) }
  if (month) yield { ...plan, month: false }
  if (hurriers > 0) yield { ...plan, hurriers: 0 }
  if (operators > 0) yield { ...plan, operators: 0 }
  if (buyers > 1) yield { ...plan, buyers: buyers >> 1 }
  if (processes > 1) yield { ...plan, processes: 1 }
  for (const fault of faultsOf(plan)) yield without(fault, plan)
  for (const event of events) yield { ...plan, events: events.filter((each) => each !== event) }
  if (buyers > 1) yield { ...plan, buyers: buyers - 1 }
  if (busyMs > 10_000) yield { ...plan, busyMs: busyMs / 2 }
}

/** The faults of messages that a plan has. */
function faultsOf({ phases }: Plan): Fault[] {
  // The keys of rates are faults.
  return [...new Set(phases.flatMap(({ rates }) => Object.keys(rates) as Fault[]))]
}

function without(fault: Fault, plan: Plan): Plan {
  const phases = plan.phases.map((phase) => ({
    ...phase,
    rates: Object.fromEntries(Object.entries(phase.rates).filter(([name]) => name !== fault)),
  }))
  return { ...plan, phases }
}

/** What of a plan differs from its seed's own, as the option of a command that runs it again. */
export function changesOf(plan: Plan, own: Plan): string {
  const changed = Object.entries(plan).filter(
    // The names are those of the plan.
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(own[name as keyof Plan]),
  )
  return changed.length === 0 ? '' : ` --plan '${JSON.stringify(Object.fromEntries(changed))}'`
}
