import { type Content, contentHash } from './content.ts'
import { baseOf, bytesOf, type Plan } from './plan.ts'
import { PublishError } from './publish-error.ts'
import type { Remote } from './remote.ts'
import type { Consent } from './settings.ts'

/** The current content, the current platform, and the publisher's consent. */
export interface PlanContext {
  content: Content
  remote: Remote
  consent: Consent
}

/**
 * Checks that a plan can be applied.
 *
 * @throws {PublishError} If the plugin or the platform has changed since the plan, if a risk lacks consent, or if a
 *   limit of the platform is exceeded.
 */
export function checkPlan(plan: Plan, { content, remote, consent }: PlanContext): void {
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

/**
 * Checks that every risk for the merchant has consent.
 *
 * @throws {PublishError} `taken`, `conflict` or `invalid`, with what to do.
 */
function checkConsent(plan: Plan, { overwrite, force, strategy }: Consent): void {
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

/**
 * Checks content against what the platform allows, before anything is sent.
 *
 * @throws {PublishError} `too_large`, with the file or the sum that is.
 */
function checkLimits({ files }: Content, { fileBytes, files: most, deploymentBytes }: Remote['limits']): void {
  const large = files.find(({ size }) => size > fileBytes)
  if (large !== undefined) {
    throw tooLarge(`${large.path} has ${large.size} bytes; a file may have ${fileBytes}.`)
  }
  if (files.length > most) throw tooLarge(`There are ${files.length} files; a deployment may have ${most}.`)
  const bytes = bytesOf(files)
  if (bytes > deploymentBytes) {
    throw tooLarge(`The files have ${bytes} bytes together; a deployment may have ${deploymentBytes}.`)
  }
}

function tooLarge(message: string): PublishError {
  return new PublishError('too_large', message)
}
