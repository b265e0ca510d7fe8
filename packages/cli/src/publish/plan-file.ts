import { readFile, writeFile } from 'node:fs/promises'
import type { Plan } from '@tillwright/plugin-publish'
import { CommandFailed } from '../terminal/fail-with.ts'

/** Keeps a plan in a file. */
export async function writePlan(file: string, plan: Plan): Promise<void> {
  await writeFile(file, `${JSON.stringify(plan, null, 2)}\n`)
}

/**
 * Reads a plan that was kept.
 *
 * @throws {CommandFailed} `usage`, when the file is none.
 */
export async function readPlan(file: string): Promise<Plan> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`--apply: ${file} cannot be read (${error.code}).`, 'usage')
  })
  try {
    const plan: Plan = JSON.parse(text)
    if (plan.v === 1 && typeof plan.content === 'string' && typeof plan.target === 'object') return plan
  } catch {
    // told below
  }
  throw new CommandFailed(`--apply: ${file} is not a plan; make one with --plan.`, 'usage')
}

/**
 * Checks that a plan is for the same platform and store.
 *
 * @throws {CommandFailed} `conflict`, when it is for others.
 */
export function checkSameTarget(plan: Plan, target: Plan['target']): void {
  if (JSON.stringify(plan.target) === JSON.stringify(target)) return
  const { environment, apiUrl, storeId } = plan.target
  throw new CommandFailed(`--apply: the plan is for ${storeId} on ${environment} ${apiUrl}.`, 'conflict')
}
