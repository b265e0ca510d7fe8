import { readFile, realpath, stat, writeFile } from 'node:fs/promises'
import type { Plan } from '@tillwright/plugin-publish'
import pc from 'picocolors'
import { CommandFailed } from '../terminal/fail-with.ts'
import { showBytes } from '../terminal/output.ts'
import { replaceFile } from '../whole-files.ts'
import { type Sale, showSale } from './sale.ts'

/** Above this number, lines of one kind are only counted. */
const LINES_MAX = 20

/** A plan, for people. */
export function showPlan(plan: Plan, sale: Sale | null): string {
  const { base, pluginId, version, target } = plan
  const title = `${pc.bold(`${pluginId} ${version}`)} for ${target.storeId} on ${target.environment} ${target.apiUrl}`
  const instead =
    base.version === null ? 'It is new there.' : `The active version is ${base.version} (${base.deploymentId}).`
  const build =
    version === plan.manifestVersion
      ? ''
      : `${plan.manifestVersion} is deployed with different content, so this becomes its build ${version}. For a release of its own, raise "version" in plugin.manifest.json.\n`
  const sells = sale === null ? '' : showSale(sale)
  const parts = plan.isNothing
    ? [
        `${title}\n${instead}\n`,
        'There is nothing to do: the platform already uses exactly this. 0 B to upload.\n',
        sells,
      ]
    : [`${title}\n${instead}\n${build}`, files(plan), manifest(plan), pages(plan), settings(plan), sells, risks(plan)]
  return parts.filter((part) => part !== '').join('\n')
}

function files({ files: { new: added, changed, removed, same }, upload }: Plan): string {
  return [
    `${pc.bold('Files')}   ${added.length} added, ${changed.length} changed, ${removed.length} removed, ${same.files} unchanged\n`,
    ...lines([
      ...added.map(({ path, size }) => pc.green(`+ ${path}  ${showBytes(size)}`)),
      ...changed.map(({ path, size }) => pc.yellow(`~ ${path}  ${showBytes(size)}`)),
      ...removed.map(({ path }) => pc.red(`- ${path}`)),
    ]),
    `  to upload: ${upload.files} ${upload.files === 1 ? 'file' : 'files'}, ${showBytes(upload.bytes)}\n`,
  ].join('')
}

function manifest({ manifest: changes }: Plan): string {
  const entries = changes.map(
    ({ pointer, before, after }) => `${pointer || '(all)'}: ${shown(before)} -> ${shown(after)}`,
  )
  return section('Manifest', entries)
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

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : [`${pc.bold(title)}\n`, ...lines(entries)].join('')
}

function lines(all: readonly string[]): string[] {
  const shownLines = all.slice(0, LINES_MAX).map((line) => `  ${line}\n`)
  return all.length > LINES_MAX ? [...shownLines, `  and ${all.length - LINES_MAX} more\n`] : shownLines
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** Writes a plan to a file, whole or not at all: half of one would be there to apply. `/dev/stdout`, say, is written into. */
export async function writePlan(file: string, plan: Plan): Promise<void> {
  const text = `${JSON.stringify(plan, null, 2)}\n`
  const there = await stat(file).catch(() => null)
  if (there !== null && !there.isFile()) return writeFile(file, text)
  await replaceFile(there === null ? file : await realpath(file), text)
}

/**
 * Reads a plan from a file.
 *
 * @throws {CommandFailed} `usage`, if the file is not a plan.
 */
export async function readPlan(file: string): Promise<Plan> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`--apply: ${file} cannot be read (${error.code}).`, 'usage')
  })
  try {
    const plan: Plan = JSON.parse(text)
    if (plan.v === 1 && typeof plan.content === 'string' && typeof plan.target === 'object') return plan
  } catch {
    // reported below
  }
  throw new CommandFailed(`--apply: ${file} is not a plan; create one with --plan.`, 'usage')
}

/**
 * Checks that a plan is for this platform and store.
 *
 * @throws {CommandFailed} `conflict`, if it is for others.
 */
export function checkSameTarget(plan: Plan, target: Plan['target']): void {
  if (JSON.stringify(plan.target) === JSON.stringify(target)) return
  const { environment, apiUrl, storeId } = plan.target
  throw new CommandFailed(`--apply: the plan is for ${storeId} on ${environment} ${apiUrl}.`, 'conflict')
}
