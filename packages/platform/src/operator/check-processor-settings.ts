import type { Environment } from '@tillwright/contract'
import { OperatorError } from '../ambient/operator-error.ts'
import { processorSettings, type ProcessorSettings } from '../payments/processors/processor-settings.ts'

/** What each setting is called on the command line. */
const options: Readonly<Record<string, string>> = {
  currencies: '--currency',
  brands: '--brand',
  apiUrl: '--api-url',
  merchantId: '--merchant-id',
  mcc: '--mcc',
  merchantName: '--merchant-name',
  merchantCountryCode: '--merchant-country',
  merchantUrl: '--merchant-url',
}
const OPTION_OF_BINS = '--acquirer-bin'

/**
 * A processor's settings, by the rules of the contract.
 *
 * @throws {OperatorError} Names the option that is to blame.
 */
export function checkProcessorSettings(settings: ProcessorSettings, environment: Environment): ProcessorSettings {
  const checked = processorSettings.safeParse(settings)
  if (!checked.success) {
    const [issue] = checked.error.issues
    const option = issue?.path.map((name) => options[String(name)]).find((known) => known !== undefined)
    throw new OperatorError(`${option ?? OPTION_OF_BINS}: ${issue?.message ?? 'is wrong'}.`)
  }
  if (checked.data.apiUrl !== null && environment === 'production') {
    throw new OperatorError('--api-url: in production nobody stands in for a processor; leave it out.')
  }
  return checked.data
}
