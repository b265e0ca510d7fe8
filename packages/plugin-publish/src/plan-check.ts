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
export function checkPlan(plan: Plan, context: PlanContext): void {
  const refusal = refusalOf(plan, context)
  if (refusal !== null) throw refusal
}

/** Why a plan cannot be applied, with what to do; `null` if it can. */
export function refusalOf(plan: Plan, context: PlanContext): PublishError | null {
  try {
    check(plan, context)
    return null
  } catch (error) {
    if (error instanceof PublishError) return error
    throw error
  }
}

function check(plan: Plan, { content, remote, consent }: PlanContext): void {
  if (plan.content !== contentHash(content)) {
    throw new PublishError('changed', 'The plugin has changed since the plan was made: create a new plan.')
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
    `The platform has changed since the plan was made: it was ${shown(base)} and is now ${shown(now)}. Create a new plan.`,
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
      `Version ${plan.version} of ${plan.pluginId} is already deployed with different content: raise "version" in plugin.manifest.json, publish the next build without --exact-version, or replace it with --overwrite.`,
    )
  }
  const { conflicts = [], invalid = [] } = plan.settings ?? {}
  if (strategy === 'strict' && conflicts.length > 0) {
    throw new PublishError(
      'conflict',
      `The merchant has changed ${conflicts.join(', ')} too: adopt their values, or use --ours to keep them or --theirs to replace them.`,
    )
  }
  if (invalid.length > 0 && !force) {
    const presets = [...new Set(invalid.map(({ preset }) => preset))]
    throw new PublishError(
      'invalid',
      `The schema would make live presets invalid (${presets.join(', ')}): allow their values, or use --force.`,
    )
  }
}

/**
 * Checks content against the platform's limits before anything is sent.
 *
 * @throws {PublishError} `too_large`, with the file or the total.
 */
function checkLimits({ files }: Content, { fileBytes, files: most, deploymentBytes }: Remote['limits']): void {
  const large = files.find(({ size }) => size > fileBytes)
  if (large !== undefined) {
    throw tooLarge(`${large.path} has ${large.size} bytes; a file may have at most ${fileBytes}.`)
  }
  if (files.length > most) throw tooLarge(`There are ${files.length} files; a deployment may have at most ${most}.`)
  const bytes = bytesOf(files)
  if (bytes > deploymentBytes) {
    throw tooLarge(`The files have ${bytes} bytes in total; a deployment may have at most ${deploymentBytes}.`)
  }
}

function tooLarge(message: string): PublishError {
  return new PublishError('too_large', message)
}
