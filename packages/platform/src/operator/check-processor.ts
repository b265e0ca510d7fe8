import type { Environment } from '@tillwright/contract'
import {
  type Asker,
  checkedDriver,
  checkedSecret,
  checkedSettings,
  checkedWebhookSecret,
  type ProcessorDriver,
  type ProcessorRegistry,
  type WantedSettings,
} from '../processors/index.ts'
import { OperatorError } from '../runtime/index.ts'

/** Command-line names of what all processors share, by the fields of requests. A merchant's other fields are its BINs. */
export const processorOptions: Readonly<Record<string, string>> = {
  driver: '--driver',
  secret: '--secret-from-stdin',
  webhookSecret: '--secret-from-stdin',
  currencies: '--currency',
  brands: '--brand',
  merchantId: '--merchant-id',
  mcc: '--mcc',
  merchantName: '--merchant-name',
  merchantCountryCode: '--merchant-country',
  merchantUrl: '--merchant-url',
  merchant: '--acquirer-bin',
}

/** The option of a driver's own setting: `apiUrl` is `--api-url`. */
export function optionName(setting: string): string {
  return `--${setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The driver of a name that an operator may add processors of. @throws {OperatorError} */
export function checkDriver(name: string, registry: ProcessorRegistry): ProcessorDriver {
  return checkedDriver(name, registry, { refuse: refusal })
}

/** A processor's settings. @throws {OperatorError} Names the option that is to blame. */
export function checkProcessorSettings(
  settings: WantedSettings,
  { driver, environment }: { driver: ProcessorDriver; environment: Environment },
): WantedSettings {
  return checkedSettings(settings, { driver }, operatorAsks(environment))
}

/** A processor's secret without the blanks around it, or `null` for one that needs none. @throws {OperatorError} */
export function checkProcessorSecret(
  secret: string | null,
  driver: ProcessorDriver,
  environment: Environment,
): string | null {
  return checkedSecret(secret, driver, operatorAsks(environment))
}

/** The secret that a processor signs its events with. @throws {OperatorError} */
export function checkWebhookSecret(secret: string | null, driver: ProcessorDriver, environment: Environment): string {
  return checkedWebhookSecret(secret, driver, operatorAsks(environment))
}

function operatorAsks(environment: Environment): Asker {
  return {
    environment,
    mayDivert: environment !== 'production',
    giveSecret: 'pipe it in, or set TILLWRIGHT_PROCESSOR_SECRET',
    refuse: refusal,
  }
}

function refusal(path: readonly PropertyKey[], problem: string): OperatorError {
  return new OperatorError(`${optionOf(path.map(String))}: ${problem}.`)
}

function optionOf(names: readonly string[]): string {
  const known = names.toReversed().map((name) => processorOptions[name])
  // Any other setting is a driver's own.
  const [, setting = ''] = names
  return known.find((option) => option !== undefined) ?? optionName(setting)
}
