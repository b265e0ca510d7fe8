import { contract, countryNumber, currencyExponent } from '@tillwright/contract'
import { networkNames } from '@tillwright/contract/networks'
import { z } from 'zod'
import { type SealedColumn, sealedColumn } from '../keys/index.ts'
import type { Services } from '../request-context.ts'
import type { RawProcessorSettings } from './tables.ts'

/** How many currencies are worth naming: more than are in use. */
const CURRENCIES_MAX = 200

const currency = z.string().refine((code) => currencyExponent(code) !== null, {
  error: 'must be an ISO 4217 code in use today, in capitals, such as USD',
})

/** The merchant, in the words of a standalone authentication; whatever the card, an acquirer's BIN has to be there. */
const merchant = contract.threeds.authenticate.body.shape.processorConfig.refine(
  ({ acquirerBin, ...config }) =>
    acquirerBin !== undefined ||
    Object.entries(config).some(([field, bin]) => field.startsWith('acquirerBinNetwork') && bin !== undefined),
  { path: ['acquirerBin'], error: 'must be given, for all networks or for one of them' },
)

/** The acquirer behind a processor: where it is, and how much of its remote card payments is fraud. */
const acquirer = z.object({
  country: z
    .string()
    .refine((code) => countryNumber(code) !== null && /^[A-Z]{2}$/.test(code), {
      error: 'must be an ISO 3166-1 alpha-2 code in capitals, such as DE',
    })
    .describe('Where it is: ISO 3166-1 alpha-2.'),
  fraudRatePercent: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .default(null)
    .describe('Its fraud rate for remote card payments in percent, as it told it last, such as 0.06.'),
})

/**
 * An operator's settings for any processor, without its name. Stored as JSON in the processor's row, together with the
 * settings of its driver.
 */
export const processorSettings = z.object({
  /** The currencies that it takes, ISO 4217; `null` for all. */
  currencies: z.array(currency).min(1).max(CURRENCIES_MAX).nullable().default(null),
  /** The card networks that it takes; `null` for all. */
  brands: z.array(z.enum(networkNames)).min(1).nullable().default(null),
  /** The merchant as its acquirer knows it, for 3-D Secure; `null` where the processor is used without 3-D Secure. */
  merchant: merchant.nullable().default(null),
  /** Its acquirer, for exemptions from strong customer authentication; `null` where none are asked for. */
  acquirer: acquirer.nullable().default(null),
})
/** An operator's settings for a processor. */
export type ProcessorSettings = z.output<typeof processorSettings>

/** The settings of a processor's row; the defaults if it was added without any. */
export function readProcessorSettings(config: RawProcessorSettings | null | undefined): ProcessorSettings {
  return processorSettings.parse(config ?? {})
}

/** How `tillwright processors add` asks for a setting of a driver's own: as `--<its name> <value>`. */
export interface SettingOption {
  /** The placeholder of the value, such as `url`. */
  value: string
  description: string
  /** Whether it may be given in production. */
  inProduction: boolean
}

const options = z.registry<SettingOption>()

/** Says how a setting of a driver's own is asked for. */
export function settingOption<Schema extends z.ZodType>(schema: Schema, option: SettingOption): Schema {
  options.add(schema, option)
  return schema
}

/** The setting `apiUrl`: the address of a stand-in for the processor's API. */
export function standInUrl() {
  const url = z
    .url({ protocol: /^https?$/, error: 'must be an http: or https: address', abort: true })
    .refine((text) => new URL(text).password === '' && new URL(text).username === '', 'must not contain a password')
    .nullable()
    .default(null)
  const description = "where somebody stands in for the processor's API; not in production"
  return settingOption(url, { value: 'url', description, inProduction: false })
}

/** The settings that a driver has beyond those of every processor. */
export function ownSettings(settings: z.ZodObject): { name: string; option: SettingOption }[] {
  return Object.entries(settings.shape).flatMap(([name, schema]) => {
    const option = Object.hasOwn(processorSettings.shape, name) ? undefined : options.get(schema)
    return option === undefined ? [] : [{ name, option }]
  })
}

/** Sealed for its processor: in another row it does not open. */
const PURPOSE = 'processor secret'

/** The column `sealed_secret`, for rotating keys. */
export const sealedProcessorSecret: SealedColumn = sealedColumn({
  ring: 'secrets',
  table: 'processors',
  column: 'sealed_secret',
  keyedBy: 'account and id',
  purpose: PURPOSE,
  boundTo: ({ id }) => id,
})

/** A processor's secret as its row keeps it. */
export function sealProcessorSecret(
  secret: string,
  processorId: string,
  { secrets }: Pick<Services, 'secrets'>,
): string {
  return secrets.seal(PURPOSE, Buffer.from(secret), processorId)
}

/** @throws {Error} When it was sealed with another key or for another processor. */
export function openProcessorSecret(
  sealed: string,
  processorId: string,
  { secrets }: Pick<Services, 'secrets'>,
): string {
  return Buffer.from(secrets.open(PURPOSE, sealed, processorId)).toString()
}
