import type { Plan } from './plan.ts'
import { PublishError } from './publish-error.ts'
import type { Strategy } from './sync-bodies.ts'

/** What whoever publishes has agreed to. */
export interface Consent {
  /** Whether a version that is deployed with other content may be replaced. */
  overwrite: boolean
  /** Whether live presets may become invalid. */
  force: boolean
  strategy: Strategy
}

/**
 * Checks that nothing happens to a merchant that nobody has agreed to.
 *
 * @throws {PublishError} `taken`, `conflict` or `invalid`, with what to do.
 */
export function checkConsent(plan: Plan, { overwrite, force, strategy }: Consent): void {
  if (plan.overwrites && !overwrite) {
    throw new PublishError(
      'taken',
      `Version ${plan.version} of ${plan.pluginId} is deployed with other content: raise the version, or replace it with --overwrite.`,
    )
  }
  const { conflicts = [], invalid = [] } = plan.settings ?? {}
  if (strategy === 'strict' && conflicts.length > 0) {
    throw new PublishError(
      'conflict',
      `The merchant has changed ${conflicts.join(', ')} too: take over their values, or say --ours to leave them or --theirs to replace them.`,
    )
  }
  if (invalid.length > 0 && !force) {
    const presets = [...new Set(invalid.map(({ preset }) => preset))]
    throw new PublishError(
      'invalid',
      `The schema would make live presets invalid (${presets.join(', ')}): allow what they hold, or say --force.`,
    )
  }
}
