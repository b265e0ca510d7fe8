import type { Environment } from '@tillwright/contract'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import {
  ownSettings,
  type ProcessorDriver,
  type ProcessorRegistry,
  type ProcessorSettings,
  type SecretRule,
} from '../processors/index.ts'
import { OperatorError } from '../runtime/index.ts'

/** Command-line names of the settings that all processors share. */
const commonOptions: Readonly<Record<string, string>> = {
  currencies: '--currency',
  brands: '--brand',
  merchantId: '--merchant-id',
  mcc: '--mcc',
  merchantName: '--merchant-name',
  merchantCountryCode: '--merchant-country',
  merchantUrl: '--merchant-url',
}
const OPTION_OF_BINS = '--acquirer-bin'

/** The requested settings of a processor, including its driver's own. */
export type WantedSettings = ProcessorSettings & Readonly<Record<string, unknown>>

/** The option of a driver's own setting: `apiUrl` is `--api-url`. */
export function optionName(setting: string): string {
  return `--${setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/**
 * The driver of a name that an operator may add processors of.
 *
 * @throws {OperatorError} For an unknown one, and for one that moves no money where money has to move.
 */
export function checkDriver(name: string, { find, drivers, simulators }: ProcessorRegistry): ProcessorDriver {
  const driver = find(name)
  if (driver !== null) return driver
  const pretending = simulators.find((each) => each.name === name)
  if (pretending !== undefined) {
    throw new OperatorError(
      `--driver: ${pretending.title} moves no money and is not available in production; name another.`,
    )
  }
  throw new OperatorError(
    `--driver: there is no '${name}'; name one of: ${drivers.map((each) => each.name).join(', ')}.`,
  )
}

/**
 * A processor's settings, by the rules of the contract and of its driver.
 *
 * @throws {OperatorError} Names the option that is to blame.
 */
export function checkProcessorSettings(
  settings: WantedSettings,
  { driver, environment }: { driver: ProcessorDriver; environment: Environment },
): WantedSettings {
  const checked = driver.settings.safeParse(settings, { error: ruleMessage })
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw new OperatorError(`${optionOf(issue?.path ?? [], driver)}: ${issue?.message ?? 'is wrong'}.`)
  }
  const given = Object.keys(settings).filter((name) => settings[name] !== null && settings[name] !== undefined)
  const foreign = given.find((name) => !Object.hasOwn(driver.settings.shape, name))
  if (foreign !== undefined) {
    throw new OperatorError(`${optionName(foreign)}: ${driver.title} has no such setting; leave it out.`)
  }
  const refused = ownSettings(driver.settings).find(({ name, option }) => !option.inProduction && given.includes(name))
  if (refused !== undefined && environment === 'production') {
    throw new OperatorError(`${optionName(refused.name)}: is not available in production; leave it out.`)
  }
  return checked.data
}

function optionOf(path: readonly PropertyKey[], driver: ProcessorDriver): string {
  const names = path.map(String)
  const own = ownSettings(driver.settings).find(({ name }) => names.includes(name))
  if (own !== undefined) return optionName(own.name)
  return names.map((name) => commonOptions[name]).find((known) => known !== undefined) ?? OPTION_OF_BINS
}

/**
 * A processor's secret without the blanks around it, or `null` for one that needs none. Live keys belong into production
 * and test keys elsewhere.
 *
 * @throws {OperatorError} Which never contains the secret.
 */
export function checkProcessorSecret(
  secret: string | null,
  { secret: rule, title }: ProcessorDriver,
  environment: Environment,
): string | null {
  if (rule !== null) return checkSecret(secret, rule, environment)
  if (secret === null) return null
  throw new OperatorError(`--secret-from-stdin: ${title} has no secret; leave it out.`)
}

/**
 * The secret that a processor signs its events with, without the blanks around it.
 *
 * @throws {OperatorError} Which never contains the secret.
 */
export function checkWebhookSecret(
  secret: string | null,
  { events, title }: ProcessorDriver,
  environment: Environment,
): string {
  if (events !== undefined) return checkSecret(secret, events.secret, environment)
  const name = title.charAt(0).toUpperCase() + title.slice(1)
  throw new OperatorError(`${name} sends no events, so it has no signing secret; name a processor that does.`)
}

function checkSecret(secret: string | null, rule: SecretRule, environment: Environment): string {
  const trimmed = secret?.trim() ?? ''
  if (trimmed === '') {
    throw new OperatorError(
      `--secret-from-stdin: ${rule.called} is missing; pipe it in, or set TILLWRIGHT_PROCESSOR_SECRET.`,
    )
  }
  const problem = rule.problem(trimmed, environment)
  if (problem !== null) throw new OperatorError(problem)
  return trimmed
}
