import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { atKey, atValue, type JsonDocument, type Plugin, type Problem, readJson } from '@tillwright/plugin-build'
import type { z } from 'zod'
import { type Scenario, SCENARIOS_FILE, scenariosFile } from './scenario.ts'

/** The scenarios of a plugin, `null` exactly if one of the problems is an error. */
export interface ReadScenarios {
  scenarios: readonly Scenario[] | null
  problems: Problem[]
}

/** Reads `scenarios.json`; a plugin without one has the default ones. Pages and presets that are named must be there. */
export async function readScenarios({
  root,
  pages,
  configuration,
}: Pick<Plugin, 'root' | 'pages' | 'configuration'>): Promise<ReadScenarios> {
  if (!(await exists(join(root, SCENARIOS_FILE)))) return { scenarios: defaultScenarios, problems: [] }
  const { document, findings } = await readJson(root, SCENARIOS_FILE)
  const problems = findings.map(({ problem }) => problem)
  if (document === null) return { scenarios: null, problems }
  const read = scenariosFile.safeParse(document.value)
  if (!read.success)
    return { scenarios: null, problems: [...problems, ...read.error.issues.flatMap(problemsIn(document))] }
  const { scenarios } = read.data
  const strange = scenarios.flatMap(({ page, preset }, index) => [
    ...unknown(document, ['scenarios', index, 'page'], { named: page, known: pages.map(({ id }) => id) }),
    ...unknown(document, ['scenarios', index, 'preset'], { named: preset, known: Object.keys(configuration.presets) }),
  ])
  return { scenarios: strange.length === 0 ? scenarios : null, problems: [...problems, ...strange] }
}

function problemsIn(document: JsonDocument) {
  return (issue: z.core.$ZodIssue): Problem[] => {
    const path = issue.path.filter((step) => typeof step !== 'symbol')
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const rule = `A scenario has no "${key}".`
        return atKey(document, [...path, key], { code: 'unknown-key', rule, fix: 'Correct the name, or take it out.' })
          .problem
      })
    }
    const name = path.length === 0 ? 'The file' : `"${path.join('.')}"`
    const complaint = { code: 'invalid-value', rule: `${name}: ${issue.message}.`, fix: 'Correct the value.' }
    return [atValue(document, path, complaint).problem]
  }
}

function unknown(
  document: JsonDocument,
  path: readonly (string | number)[],
  { named, known }: { named: string | undefined; known: readonly string[] },
): Problem[] {
  if (named === undefined || known.includes(named)) return []
  const what = String(path.at(-1))
  const rule = `The plugin has no ${what} "${named}".`
  const fix =
    known.length === 0 ? `Take "${what}" out.` : `Write one of ${known.map((name) => `"${name}"`).join(', ')}.`
  return [atValue(document, [...path], { code: `unknown-${what}`, rule, fix }).problem]
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** The scenarios of a plugin without `scenarios.json`. */
export const defaultScenarios: readonly Scenario[] = [
  { name: 'Card is charged', card: 'success' },
  { name: 'Card is declined', card: 'declined' },
  { name: 'Insufficient funds', card: 'insufficient_funds' },
  { name: 'Bank asks for a code', card: 'threeds', threeds: 'challenge' },
  { name: 'German, in euros', card: 'success', currency: 'EUR', locale: 'de-DE', country: 'DE' },
  { name: 'Phone', card: 'success', viewport: 'phone' },
  { name: 'Empty order', lines: [] },
]

/**
 * A name for the files of each scenario, in the order of the scenarios: lower-case letters and digits with `-` between them,
 * and no two the same.
 */
export function scenarioIds(scenarios: readonly Pick<Scenario, 'name'>[]): string[] {
  const taken = new Set<string>()
  return scenarios.map(({ name }, index) => {
    const words =
      name
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? []
    const id = words.join('-').slice(0, ID_MAX_CHARS) || `scenario-${index + 1}`
    const free = taken.has(id) ? `${id}-${index + 1}` : id
    taken.add(free)
    return free
  })
}

const ID_MAX_CHARS = 60
