import { installMachines, type Machines } from './machine/builtins.ts'
import { type Plan, planOf } from './plan.ts'
import { type Result, runPlan } from './run-seed.ts'
import { emptyTables, makeTemplate, type Template } from './world/template.ts'

/** Runs worlds in this process, and replaces its clocks and timers with theirs from now on. */
export interface Simulation {
  run(plan: Plan, options?: { keepsLines?: boolean }): Promise<Result>
  /** Real time in milliseconds. */
  realMs(): number
}

/** Creates the shop that all worlds start with. */
export async function openSimulation(): Promise<Simulation> {
  const tables = await emptyTables()
  const machines: Machines = installMachines()
  const template: Template = await makeTemplate(tables, machines)
  // Loads lazy modules here, and not in the middle of a world.
  await runPlan({ ...planOf('first'), buyers: 1, busyMs: 10_000, month: true }, { machines, template })
  return {
    run: (plan, { keepsLines = false } = {}) => runPlan(plan, { machines, template, keepsLines }),
    realMs: machines.realMs,
  }
}
