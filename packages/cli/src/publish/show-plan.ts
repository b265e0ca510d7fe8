import type { Plan } from '@tillwright/plugin-publish'
import pc from 'picocolors'
import { showBytes } from '../terminal/show-bytes.ts'

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
