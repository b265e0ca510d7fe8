import type { Scenario } from '../scenario.ts'

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
