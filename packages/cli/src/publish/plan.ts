import { readFile, writeFile } from 'node:fs/promises'
import type { Plan } from '@tillwright/plugin-publish'
import pc from 'picocolors'
import { CommandFailed } from '../terminal/fail-with.ts'
import { showBytes } from '../terminal/output.ts'

/** More lines than this of one kind are counted instead. */
const LINES_MAX = 20

/** A plan for people. */
export function showPlan(plan: Plan): string {
  const { base, pluginId, version, target } = plan
  const title = `${pc.bold(`${pluginId} ${version}`)} for ${target.storeId} on ${target.environment} ${target.apiUrl}`
  const instead = base.version === null ? 'It is new there.' : `Active there is ${base.version} (${base.deploymentId}).`
  const parts = plan.isNothing
    ? [`${title}\n${instead}\n`, 'There is nothing to do: the platform has exactly this, and uses it. 0 B to send.\n']
    : [`${title}\n${instead}\n`, files(plan), manifest(plan), pages(plan), settings(plan), risks(plan)]
  return parts.filter((part) => part !== '').join('\n')
}

function files({ files: { new: added, changed, removed, same }, upload }: Plan): string {
  return [
    `${pc.bold('Files')}   ${added.length} new, ${changed.length} changed, ${removed.length} gone, ${same.files} the same\n`,
    ...lines([
      ...added.map(({ path, size }) => pc.green(`+ ${path}  ${showBytes(size)}`)),
      ...changed.map(({ path, size }) => pc.yellow(`~ ${path}  ${showBytes(size)}`)),
      ...removed.map(({ path }) => pc.red(`- ${path}`)),
    ]),
    `  to send: ${upload.files} ${upload.files === 1 ? 'file' : 'files'}, ${showBytes(upload.bytes)}\n`,
  ].join('')
}

function manifest({ manifest: changes }: Plan): string {
  const told = changes.map(({ pointer, before, after }) => `${pointer || '(all)'}: ${shown(before)} -> ${shown(after)}`)
  return section('Manifest', told)
}

function pages({ pages: { added, removed } }: Plan): string {
  return section('Pages', [
    ...added.map((path) => pc.green(`+ ${path}`)),
    ...removed.map((path) => pc.red(`- ${path}`)),
  ])
}

function settings({ settings: forecast }: Plan): string {
  if (forecast === null) return ''
  return section('Settings', [
    ...forecast.updated.map((name) => pc.yellow(`~ ${name}`)),
    ...forecast.conflicts.map((pointer) => pc.red(`conflict ${pointer}`)),
    ...forecast.invalid.map(({ preset, pointer, message }) => pc.red(`invalid ${preset} ${pointer}: ${message}`)),
  ])
}

function risks({ risks: all }: Plan): string {
  return section(
    'Think about',
    all.map(({ message }) => pc.yellow(`! ${message}`)),
  )
}

function section(title: string, told: readonly string[]): string {
  return told.length === 0 ? '' : [`${pc.bold(title)}\n`, ...lines(told)].join('')
}

function lines(all: readonly string[]): string[] {
  const shownLines = all.slice(0, LINES_MAX).map((line) => `  ${line}\n`)
  return all.length > LINES_MAX ? [...shownLines, `  and ${all.length - LINES_MAX} more\n`] : shownLines
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

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
