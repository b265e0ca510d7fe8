import { checkConsent, type Consent } from './check-consent.ts'
import { checkLimits } from './check-limits.ts'
import { contentHash } from './content-hash.ts'
import type { Content } from './content.ts'
import { baseOf } from './make-plan.ts'
import type { Plan } from './plan.ts'
import { PublishError } from './publish-error.ts'
import type { Remote } from './remote.ts'

/** What a plan is checked against: plugin and platform as they are, and what is agreed to. */
export interface Standing {
  content: Content
  remote: Remote
  consent: Consent
}

/**
 * Checks that a plan can be applied.
 *
 * @throws {PublishError} When plugin or platform are not as the plan says, when nobody has agreed to what it endangers, or
 *   when it is more than the platform takes.
 */
export function checkPlan(plan: Plan, { content, remote, consent }: Standing): void {
  if (plan.content !== contentHash(content)) {
    throw new PublishError('changed', 'The plugin has changed since the plan was made: make a new plan.')
  }
  checkUnmoved(plan, baseOf(remote.active))
  checkConsent(plan, consent)
  checkLimits(content, remote.limits)
}

function checkUnmoved({ base }: Plan, now: Plan['base']): void {
  if (base.deploymentId === now.deploymentId && base.revision === now.revision) return
  const shown = ({ deploymentId, version, revision }: Plan['base']) =>
    deploymentId === null ? 'nothing' : `${version} (${deploymentId}), settings ${revision}`
  throw new PublishError(
    'moved',
    `The platform has moved since the plan was made: it was ${shown(base)}, and is ${shown(now)}. Make a new plan.`,
  )
}
