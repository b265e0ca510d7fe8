import { buildPlugin, type Plugin } from '@tillwright/plugin-build'
import {
  applyPlan,
  checkPlan,
  type Content,
  makePlan,
  type Plan,
  type PublishResult,
  readContent,
  readRemote,
} from '@tillwright/plugin-publish'
import { showProblems } from '../author/plugin-command.ts'
import { connect, type Connection } from '../target/connect.ts'
import type { Target } from '../target/target.ts'
import { CommandFailed, partMissing } from '../terminal/fail-with.ts'
import { confirm, interruption } from '../terminal/interaction.ts'
import { showBytes } from '../terminal/output.ts'
import { showProgress } from '../terminal/progress.ts'
import { checkSameTarget, readPlan, showPlan, writePlan } from './plan.ts'
import { chooseStore, consentOf, type PublishOptions } from './publish-options.ts'

/** What publishing would do, and what it did; `null` if it was a dry run. */
export interface Outcome {
  plan: Plan
  published: (PublishResult & { aliasUrl: string | null }) | null
}

/** Whether settings are published too, or only the deployment. */
export type Scope = 'everything' | 'deployment'

/** Builds a plugin, prints the plan to the standard error, and publishes it unless it is a dry run. */
export async function publish(folder: string, options: PublishOptions, scope: Scope): Promise<Outcome> {
  const connection = await connect(options)
  const storeId = chooseStore(options, connection.target)
  const built = await buildContent(folder, connection.target.name)
  const content = scope === 'everything' ? built.content : withoutSettings(built.content)
  const consent = consentOf(options)
  const place = { client: connection.client, storeId, signal: interruption() }
  const remote = await readRemote(content, place, consent.strategy)
  const plan = makePlan(content, remote, targetOf(connection, storeId))
  const wanted = options.apply === undefined ? plan : await readPlan(options.apply)
  checkSameTarget(wanted, plan.target)
  if (options.plan !== undefined) await writePlan(options.plan, plan)
  if (options.dryRun === true || options.plan !== undefined) return { plan, published: null }
  checkPlan(wanted, { content, remote, consent })
  process.stderr.write(`${showPlan(plan)}\n`)
  await confirmLive(plan, options)
  const progress = await showProgress('Sending files', plan.upload.bytes)
  const published = await applyPlan(wanted, {
    ...place,
    content,
    bytes: built.bytes,
    remote,
    consent,
    activate: options.activate,
    onStored: progress.advance,
  }).finally(() => progress.end('Files are uploaded.'))
  return { plan, published: { ...published, aliasUrl: await setAlias(published, options, place) } }
}

function withoutSettings(content: BuiltContent['content']): Content {
  return { ...content, settings: { schema: null, uiSchema: null, presets: {}, templates: {} } }
}

function targetOf({ target, key }: Connection, storeId: string): Plan['target'] {
  return { apiUrl: target.apiUrl, environment: target.name, accountId: key.accountId, storeId }
}

/** Production has buyers: it always needs confirmation, other environments only if there are warnings. */
async function confirmLive(plan: Plan, options: PublishOptions): Promise<void> {
  const isLive = plan.target.environment === 'production'
  if (!plan.isNothing && (isLive || plan.risks.length > 0)) {
    await confirm(`Publish ${plan.pluginId} ${plan.version} to ${plan.target.environment}?`, options)
  }
}

async function setAlias(
  { deploymentId }: PublishResult,
  { alias }: PublishOptions,
  { client, storeId, signal }: Pick<Connection, 'client'> & { storeId: string; signal: AbortSignal },
): Promise<string | null> {
  if (alias === undefined) return null
  const { alias: set } = await client.pluginManagement.setAlias({ storeId, name: alias, deploymentId }, { signal })
  return set.url
}

/** The result of publishing, for people. */
export function showOutcome({ plan, published }: Outcome): string {
  if (published === null) return showPlan(plan)
  const { uploaded, url, deploymentId, isActive, formerDeploymentId, conflicts, aliasUrl } = published
  const lines = [
    `${plan.pluginId} ${plan.version} is ${isActive ? 'active' : 'deployed'}: ${url}`,
    ...(aliasUrl === null ? [] : [`Also at ${aliasUrl}`]),
    `Sent ${uploaded.files} ${uploaded.files === 1 ? 'file' : 'files'}, ${showBytes(uploaded.bytes)} (${deploymentId}).`,
    ...conflicts.map((pointer) => `The merchant's value was kept: ${pointer}`),
    ...(isActive && formerDeploymentId !== null && formerDeploymentId !== deploymentId
      ? ['To undo this: "tillwright rollback".']
      : []),
  ]
  return `${lines.join('\n')}\n`
}

/** A built plugin, ready to be uploaded. */
interface BuiltContent {
  content: Content
  /** The content of each file, by SHA-256. */
  bytes: ReadonlyMap<string, Uint8Array>
}

/**
 * Builds the plugin in a folder for a target. Problems are printed to the standard error.
 *
 * @throws {CommandFailed} `invalid`, if one of the problems is an error.
 */
export async function buildContent(folder: string, target: Target['name']): Promise<BuiltContent> {
  const built = await buildPlugin(folder, {
    environment: process.env,
    target: target === 'production' ? 'live' : 'test',
  })
  process.stderr.write(showProblems(built.problems))
  const errors = built.problems.filter(({ severity }) => severity === 'error').length
  if (built.plugin === null || errors > 0) {
    throw new CommandFailed(
      `${folder}: ${errors} ${errors === 1 ? 'error' : 'errors'}; nothing was uploaded.`,
      'invalid',
    )
  }
  return {
    content: { ...readContent(built.plugin, built.files), ...(await previewsOf(built.plugin)) },
    bytes: new Map(built.files.map(({ sha256, bytes }) => [sha256, bytes])),
  }
}

/** The scenarios, which need the dev server's package: without it, the deployment has no previews. */
async function previewsOf(plugin: Plugin): Promise<Pick<Content, 'demoPreviews'>> {
  try {
    const { demoPreviewsOf, readScenarios } = await import('@tillwright/plugin-dev')
    const { scenarios, problems } = await readScenarios(plugin)
    process.stderr.write(showProblems(problems))
    return scenarios === null ? {} : { demoPreviews: demoPreviewsOf(plugin, scenarios) }
  } catch (error) {
    if (partMissing(error) !== null) return {}
    throw error
  }
}
