import type { DevCommandOptions } from '../dev/dev-options.ts'

/** How `tillwright test` is called. */
export interface TestOptions extends Pick<DevCommandOptions, 'json' | 'target' | 'url' | 'publishableKey'> {
  built?: true
  scenario?: string[]
  update?: true
}
