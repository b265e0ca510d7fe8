import type { Environment } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import type { ProcessorDriver, SecretRule } from './processor-driver.ts'
import type { ProcessorRegistry } from './registry.ts'
import { ownSettings, type ProcessorSettings } from './settings.ts'

/** The requested settings of a processor, including its driver's own. */
export type WantedSettings = ProcessorSettings & Readonly<Record<string, unknown>>

/** The caller that wants a processor: an operator on the command line, or a request. */
export interface Asker {
  environment: Environment
  /**
   * Makes the error for a problem.
   *
   * @param path Of the request's field: `['settings', 'currencies', 0]`.
   * @param problem Continues the name of the field; never contains a secret.
   */
  refuse(path: readonly PropertyKey[], problem: string): Error
  /** How to send a secret that is missing: 'send it as `secret`'. */
  giveSecret: string
  /** Whether settings that production does not take may be set; they say where the processor is. */
  mayDivert: boolean
}

/**
 * The driver of a name.
 *
 * @throws For an unknown one, and for one that moves no money where money has to move.
 */
export function checkedDriver(
  name: string,
  { find, drivers, simulators }: ProcessorRegistry,
  { refuse }: Pick<Asker, 'refuse'>,
): ProcessorDriver {
  const driver = find(name)
  if (driver !== null) return driver
  const pretending = simulators.find((each) => each.name === name)
  if (pretending !== undefined) {
    throw refuse(['driver'], `${pretending.title} moves no money and is not available in production; name another`)
  }
  throw refuse(['driver'], `there is no '${name}'; name one of: ${drivers.map((each) => each.name).join(', ')}`)
}

/**
 * A processor's settings, by the rules of the contract and of its driver.
 *
 * @param before The settings that it has, for a change.
 * @throws With the first setting that is to blame.
 */
export function checkedSettings(
  settings: Readonly<Record<string, unknown>>,
  { driver, before = {} }: { driver: ProcessorDriver; before?: Readonly<Record<string, unknown>> },
  { refuse, mayDivert, environment }: Asker,
): WantedSettings {
  const checked = driver.settings.safeParse(settings, { error: ruleMessage })
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw refuse(['settings', ...(issue?.path ?? [])], issue?.message ?? 'is wrong')
  }
  const foreign = foreignPath(settings, checked.data)
  if (foreign !== null) throw refuse(['settings', ...foreign], `${driver.title} has no such setting; leave it out`)
  const invalid = driver.problemWith?.(checked.data, environment) ?? null
  if (invalid !== null) throw refuse(['settings', invalid.setting], invalid.problem)
  const [diverted] = divertedBy(settings, { driver, before })
  if (diverted !== undefined && !mayDivert) {
    throw refuse(['settings', diverted], `is not available in ${environment}; leave it out`)
  }
  return checked.data
}

/** The names of settings that production does not take, and that a change sets. */
export function divertedBy(
  settings: Readonly<Record<string, unknown>>,
  { driver, before }: { driver: ProcessorDriver; before: Readonly<Record<string, unknown>> },
): string[] {
  const diverting = ownSettings(driver.settings).filter(({ option }) => !option.inProduction)
  return diverting
    .map(({ name }) => name)
    .filter((name) => (settings[name] ?? null) !== null && settings[name] !== before[name])
}

/** The place of a name that the schema of the settings has dropped; `null` if there is none. */
function foreignPath(sent: Readonly<Record<string, unknown>>, kept: unknown): string[] | null {
  const known = isObject(kept) ? kept : {}
  for (const [name, value] of Object.entries(sent)) {
    if (value === null || value === undefined) continue
    if (!Object.hasOwn(known, name)) return [name]
    const inner = isObject(value) ? foreignPath(value, known[name]) : null
    if (inner !== null) return [name, ...inner]
  }
  return null
}

/**
 * A processor's secret without the blanks around it, or `null` for one that needs none. Live keys belong into production
 * and test keys elsewhere.
 *
 * @throws For a secret that is missing, or not one; the error never contains it.
 */
export function checkedSecret(
  secret: string | null,
  { secret: rule, title }: ProcessorDriver,
  asker: Asker,
): string | null {
  if (rule !== null) return byRule(secret, { rule, field: 'secret' }, asker)
  if (secret === null) return null
  throw asker.refuse(['secret'], `${title} has no secret; leave it out`)
}

/**
 * The secret that a processor signs its events with, without the blanks around it.
 *
 * @throws For a secret that is missing, or not one; the error never contains it.
 */
export function checkedWebhookSecret(secret: string | null, { events, title }: ProcessorDriver, asker: Asker): string {
  if (events !== undefined) return byRule(secret, { rule: events.secret, field: 'webhookSecret' }, asker)
  const name = title.charAt(0).toUpperCase() + title.slice(1)
  throw asker.refuse(['webhookSecret'], `${name} sends no events, so it has no signing secret; leave it out`)
}

function byRule(
  secret: string | null,
  { rule, field }: { rule: SecretRule; field: string },
  { environment, refuse, giveSecret }: Asker,
): string {
  const trimmed = secret?.trim() ?? ''
  if (trimmed === '') throw refuse([field], `${rule.called} is missing; ${giveSecret}`)
  const problem = rule.problem(trimmed, environment)
  if (problem !== null) throw refuse([field], problem.replace(/\.$/, ''))
  return trimmed
}
