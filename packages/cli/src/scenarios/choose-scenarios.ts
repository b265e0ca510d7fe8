import type { Scenario } from '@tillwright/plugin-dev'
import { CommandFailed } from '../terminal/fail-with.ts'

/**
 * Those of a plugin's scenarios that were named, or all of them.
 *
 * @throws {CommandFailed} `usage`, for a name that none has.
 */
export function chooseScenarios(scenarios: readonly Scenario[], names: readonly string[] = []): readonly Scenario[] {
  const unknown = names.find((name) => scenarios.every((each) => each.name !== name))
  if (unknown !== undefined) {
    const known = scenarios.map(({ name }) => `"${name}"`).join(', ')
    throw new CommandFailed(`--scenario: there is no "${unknown}"; there are: ${known}.`, 'usage')
  }
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name))
}
