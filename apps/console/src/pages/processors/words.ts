import type { Contract, ResponseOf } from '@tillwright/contract'
import { brandTitle } from '@tillwright/contract/networks'
import { useRead } from '../../api/query.ts'
import type { Described } from '../../forms/save.tsx'
import { useMay } from '../../shell/session.ts'
import { text } from './text.ts'

/** A processor as the API answers it: without its secrets. */
export type ProcessorDetails = ResponseOf<Contract['processors']['get']>
type Driver = ResponseOf<Contract['processors']['listDrivers']>['data'][number]
export type Settings = Readonly<Record<string, unknown>>

/** The kinds of processors that the platform has. */
export function useDrivers(): readonly Driver[] {
  const read = useRead('processors.listDrivers', useMay()('processors.listDrivers') ? {} : null)
  return read.data?.data ?? []
}

const settingKeys = [
  'currencies',
  'brands',
  'merchant',
  'acquirer',
  'country',
  'fraudRatePercent',
  'merchantId',
  'mcc',
  'merchantName',
  'merchantCountryCode',
  'merchantUrl',
  'acquirerBin',
  'acquirerBinNetwork1',
  'acquirerBinNetwork2',
  'acquirerBinNetwork3',
  'acquirerBinNetwork4',
  'merchantAccount',
  'liveUrlPrefix',
  'processingChannelId',
  'subdomain',
  'statementCity',
  'clientId',
  'mode',
  'apiUrl',
] as const

/** Label of a setting, or of a field of one; one without a translation goes by its name. */
export function settingName(name: string): string {
  const known = settingKeys.find((each) => each === name)
  return known === undefined ? name : text(`setting.${known}`)
}

/** The value of a setting for people. */
function settingWords(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((each) => settingWords(name, each)).join(', ')
  if (typeof value === 'object') {
    return Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([inner, each]) => `${settingName(inner)}: ${settingWords(inner, each)}`)
      .join('; ')
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  return name === 'brands' ? brandTitle(value) : value
}

/** The settings that have no default value, in words. */
export function describeSettings({ settings }: Pick<ProcessorDetails, 'settings'>): Described {
  return Object.entries(settings as Settings)
    .map(([name, value]) => [settingName(name), settingWords(name, value)] as const)
    .filter(([, words]) => words !== '')
}

/** A processor in words, to compare two versions of it. */
export function describeProcessor(processor: ProcessorDetails): Described {
  return [[text('name'), processor.name], ...describeSettings(processor)]
}

/** Settings without the empty entries that lists have while they are typed. */
export function cleaned(settings: Settings): Settings {
  const isFull = (each: unknown) => each !== ''
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, Array.isArray(value) ? value.filter(isFull) : value]),
  )
}
