import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { atKey, atValue, readJson, type JsonDocument, type Plugin, type Problem } from '@tillwright/plugin-build'
import type { z } from 'zod'
import { defaultScenarios } from './default-scenarios.ts'
import { SCENARIOS_FILE, scenariosFile, type Scenario } from './scenario.ts'

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
  const told = findings.map(({ problem }) => problem)
  if (document === null) return { scenarios: null, problems: told }
  const read = scenariosFile.safeParse(document.value)
  if (!read.success) return { scenarios: null, problems: [...told, ...read.error.issues.flatMap(problemsIn(document))] }
  const { scenarios } = read.data
  const strange = scenarios.flatMap(({ page, preset }, index) => [
    ...unknown(document, ['scenarios', index, 'page'], { named: page, known: pages.map(({ id }) => id) }),
    ...unknown(document, ['scenarios', index, 'preset'], { named: preset, known: Object.keys(configuration.presets) }),
  ])
  return { scenarios: strange.length === 0 ? scenarios : null, problems: [...told, ...strange] }
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
