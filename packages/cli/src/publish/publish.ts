import { buildPlugin, type Plugin } from '@tillwright/plugin-build'
import {
  applyPlan,
  checkPlan,
  chooseVersion,
  type Content,
  makePlan,
  type Plan,
  type PlanContext,
  type PublishResult,
  readContent,
  readRemote,
  refusalOf,
  type TargetStore,
  withVersion,
} from '@tillwright/plugin-publish'
import pc from 'picocolors'
import { showProblems } from '../author/plugin-command.ts'
import { scenariosIfInstalled } from '../author/plugin-scenarios.ts'
import { connect, type Connection, tellingSource } from '../target/connect.ts'
import type { Target } from '../target/target.ts'
import { CommandFailed, exitCodeOf, exitCodes } from '../terminal/fail-with.ts'
import { confirm, interruption, isInteractive } from '../terminal/interaction.ts'
import { showBytes } from '../terminal/output.ts'
import { gitSource, undoneCommit } from './git-source.ts'
import { stableAddresses, type Visit, visitPage } from './live-page.ts'
import { checkSameTarget, readPlan, showPlan, writePlan } from './plan.ts'
import { findSale, type Sale, showSale } from './sale.ts'
import { chooseStore, consentOf, type PublishOptions, versioningOf } from './publish-options.ts'
import { printNotice } from '../terminal/print.ts'

/** The plan of publishing, and its result. */
export interface Outcome {
  plan: Plan
  /** The product of the page; `null` if the plugin has no setting for that. */
  sale: Sale | null
  /** Why publishing refuses this plan; `null` if it does not. */
  refusal: { code: string; message: string } | null
  /** `null` if nothing was published. */
  published: Published | null
}

/** A published plugin. */
export interface Published extends PublishResult {
  /** The addresses that stay the same from version to version, the best one first. */
  addresses: string[]
  aliasUrl: string | null
  /** The result of visiting the live page; `null` if it is not active, or with `--no-visit`. */
  visit: Visit | null
}

/** Whether settings are published too, or only the deployment. */
export type Scope = 'everything' | 'deployment'

/** Builds a plugin, prints the plan to the standard error, and publishes it unless it is a dry run. */
export async function publish(folder: string, options: PublishOptions, scope: Scope): Promise<Outcome> {
  const connection = await connect(options)
  return tellingSource(connection.target, publishTo(folder, { options, scope, connection }))
}

async function publishTo(folder: string, preparation: Preparation): Promise<Outcome> {
  const { options } = preparation
  const prepared = await prepare(folder, preparation)
  const { plan, wanted, sale, content, remote, consent, place } = prepared
  if (options.plan !== undefined) await writePlan(options.plan, plan)
  if (options.dryRun === true || options.plan !== undefined) {
    return { plan, sale, refusal: refusalIn(prepared), published: null }
  }
  checkPlan(wanted, { content, remote, consent })
  if (sale !== null && sale.refusal !== null) throw new CommandFailed(sale.refusal, 'usage')
  printNotice(`${showPlan(plan, sale)}\n`)
  await confirmLive(plan, options)
  const progress = plan.upload.files === 0 ? null : await showProgress('Sending files', plan.upload.bytes)
  const applied = applyPlan(wanted, {
    ...place,
    content,
    bytes: prepared.bytes,
    remote,
    consent,
    activate: options.activate,
    storePresets: sale?.presets ?? {},
    sourceData: await gitSource(folder),
    onStored: (bytes) => progress?.advance(bytes),
  })
  const result = await applied.catch((error: unknown) => {
    progress?.end('Publishing has stopped.')
    throw interruptedAt(error, 'Publishing again goes on from here; "tillwright plan" says what is left to do.')
  })
  progress?.end('Files are uploaded.')
  const { pluginId, version } = plan
  try {
    const aliasUrl = await setAlias(result, options, place)
    const addresses = result.isActive ? await stableAddresses({ ...place, pluginId, url: result.url }) : []
    const visit = await visitLive({ ...result, addresses }, prepared, options)
    return { plan, sale, refusal: null, published: { ...result, addresses, aliasUrl, visit } }
  } catch (error) {
    const state = result.isActive ? 'active' : 'deployed'
    throw interruptedAt(error, `${pluginId} ${version} is ${state} already (${result.deploymentId}).`)
  }
}

/** After Ctrl-C, an error that says what stands; any other error as it is. */
function interruptedAt(error: unknown, whatStands: string): unknown {
  const isInterruption = error instanceof Error && error.name === 'AbortError'
  return isInterruption ? new CommandFailed(`Interrupted. ${whatStands}`, 'interrupted') : error
}

/** Everything that publishing needs to know, read without changing anything. */
interface Prepared extends PlanContext, Pick<BuiltContent, 'bytes'> {
  plan: Plan
  /** The plan to apply: this one, or that of `--apply`. */
  wanted: Plan
  sale: Sale | null
  place: TargetStore
}

interface Preparation {
  options: PublishOptions
  scope: Scope
  connection: Connection
}

async function prepare(folder: string, { options, scope, connection }: Preparation): Promise<Prepared> {
  const { client, target } = connection
  const storeId = chooseStore(options, target)
  const built = await buildContent(folder, target.name)
  const consent = consentOf(options)
  const place = { client, storeId, signal: interruption() }
  const stored = options.apply === undefined ? null : await readPlan(options.apply)
  const scoped = scope === 'everything' ? built.content : withoutSettings(built.content)
  const content =
    stored === null ? await chooseVersion(scoped, place, versioningOf(options)) : withVersion(scoped, stored.version)
  const remote = await readRemote(content, place, consent.strategy)
  const made = makePlan(content, remote, targetOf(connection, storeId))
  checkSameTarget(stored ?? made, made.target)
  const sale = await findSale(content, {
    ...place,
    environment: target.name,
    settingsOf: remote.settingsOf,
    variant: options.variant,
    isDryRun: options.dryRun === true || options.plan !== undefined,
  })
  const isNothing = made.isNothing && Object.keys(sale?.presets ?? {}).length === 0
  // Elsewhere branches take turns, and nobody is asked.
  const undone = target.name === 'production' ? await undoneCommit(folder, remote.active?.sourceData ?? null) : []
  const plan = { ...made, isNothing, risks: [...made.risks, ...undone] }
  return { plan, wanted: stored ?? plan, sale, content, bytes: built.bytes, remote, consent, place }
}

/** The process fails if the live page does not show what it should: it is published, but something is wrong with it. */
async function visitLive(
  { isActive, addresses, url }: Pick<Published, 'isActive' | 'addresses' | 'url'>,
  { plan, sale, place }: Prepared,
  { visit }: PublishOptions,
): Promise<Visit | null> {
  if (!isActive || visit === false) return null
  const found = await visitPage(addresses.at(-1) ?? url, sale?.offer ?? null, {
    apiUrl: plan.target.apiUrl,
    signal: place.signal,
  })
  if (found.status !== 200 || found.price === 'missing') process.exitCode = exitCodes.failed
  return found
}

/** The refusal of a dry run, which ends with the exit code that publishing would end with. */
function refusalIn({ wanted, sale, ...context }: Prepared): Outcome['refusal'] {
  const refusal = refusalOf(wanted, context)
  if (refusal !== null) {
    process.exitCode = exitCodeOf(refusal)
    return { code: refusal.code, message: refusal.message }
  }
  if (sale === null || sale.refusal === null) return null
  process.exitCode = exitCodes.usage
  return { code: 'usage', message: sale.refusal }
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

/** The result of publishing, for people: first the address to give to others. */
export function showOutcome({ plan, sale, refusal, published }: Outcome): string {
  if (published === null) {
    const end = refusal === null ? '' : `\n${pc.red('Refused')} ${refusal.message}\n`
    return showPlan(plan, sale) + end
  }
  const { uploaded, url, deploymentId, isActive, formerDeploymentId, conflicts, addresses, aliasUrl } = published
  const [address = url, ...others] = addresses
  const lines = [
    pc.bold(address),
    ...others.map((each) => `Also at ${each}`),
    ...(aliasUrl === null ? [] : [`Also at ${aliasUrl}`]),
    `${plan.pluginId} ${plan.version} is ${isActive ? 'active' : 'deployed'}; this deployment alone: ${url}`,
    ...(sale === null ? [] : [showSale(sale).trimEnd()]),
    ...visitLines(published),
    plan.isNothing
      ? `Nothing has changed (${deploymentId}).`
      : `Sent ${uploaded.files} ${uploaded.files === 1 ? 'file' : 'files'}, ${showBytes(uploaded.bytes)} (${deploymentId}).`,
    ...conflicts.map((pointer) => `The merchant's value was kept: ${pointer}`),
    ...(isActive && formerDeploymentId !== null && formerDeploymentId !== deploymentId
      ? [`To undo this: "${undoing(plan)}".`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

function undoing({ pluginId, target: { environment, storeId } }: Plan): string {
  const elsewhere = environment === 'local' ? '' : ` --target ${environment} --store ${storeId}`
  return `tillwright rollback ${pluginId}${elsewhere}`
}

function visitLines({ visit }: Published): string[] {
  if (visit === null) return []
  if (visit.unreachable !== null) {
    return [pc.red(`The live page cannot be opened from here (${visit.unreachable}); pass --no-visit if it need not.`)]
  }
  if (visit.status !== 200) return [pc.red(`The live page answers ${visit.status} instead of 200.`)]
  const price = {
    seen: 'The live page answers, and shows the price.',
    missing: pc.red('The live page answers, but does not show the price: open it, or pass --no-visit if it need not.'),
    unknown: 'The live page answers.',
  }
  return [price[visit.price]]
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
  printNotice(showProblems(built.problems))
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

/** Previews are of the scenarios: where those cannot be read, the deployment has none. */
async function previewsOf(plugin: Plugin): Promise<Pick<Content, 'demoPreviews'>> {
  const { scenarios = null, problems = [] } = (await scenariosIfInstalled(plugin)) ?? {}
  printNotice(showProblems(problems))
  if (scenarios === null) return {}
  const { demoPreviewsOf } = await import('@tillwright/plugin-dev')
  return { demoPreviews: demoPreviewsOf(plugin, scenarios) }
}

/** Reports progress on the standard error. */
export interface Progress {
  /** Adds completed bytes. */
  advance: (bytes: number) => void
  /** Ends the report, after a success or a failure. */
  end: (message: string) => void
}

/** Shows the progress of an upload: a bar in an interactive terminal, otherwise one line at the end. */
async function showProgress(what: string, totalBytes: number): Promise<Progress> {
  if (!isInteractive()) return { advance: () => {}, end: (message) => printNotice(`${message}\n`) }
  const { progress } = await import('@clack/prompts')
  const bar = progress({ max: totalBytes, output: process.stderr })
  let done = 0
  bar.start(what)
  return {
    advance(bytes) {
      done += bytes
      bar.advance(bytes, `${what} ${showBytes(done)} of ${showBytes(totalBytes)}`)
    },
    end: (message) => bar.stop(message),
  }
}
