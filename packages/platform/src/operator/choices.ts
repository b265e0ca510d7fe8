import {
  contract,
  eventTypes,
  plans,
  roles,
  scopes,
  type EventType,
  type Plan,
  type Role,
  type Scope,
  type ThreedsProviderName,
} from '@tillwright/contract'
import type { DeliveryState } from '../events/deliveries.ts'
import { ownSettings, type SettingOption } from '../payments/processors/processor-settings.ts'
import { processorRegistry } from '../payments/processors/registry.ts'
import { optionName } from './check-processor.ts'
import { networkNames } from '../payments/processors/processor-settings.ts'
import type { NetworkName } from '@tillwright/contract/networks'

/** A driver of processors, as the command line offers it. */
export interface DriverChoice {
  name: string
  /** The settings of its own, each with the option that it is given by. */
  settings: readonly { name: string; flag: string; option: SettingOption }[]
  help: string
  /** How its events are set up; `null` where it sends none. */
  eventsHelp: string | null
}

/** What an operator can choose from, for the command line's own checks and help. */
export const choices: Readonly<{
  plans: readonly Plan[]
  roles: readonly Role[]
  scopes: readonly Scope[]
  events: readonly EventType[]
  deliveryStates: readonly DeliveryState[]
  drivers: readonly DriverChoice[]
  networks: readonly NetworkName[]
  threedsProviders: readonly ThreedsProviderName[]
}> = {
  plans: Object.keys(plans) as Plan[], // of a literal
  roles,
  scopes,
  events: Object.keys(eventTypes) as EventType[], // of a literal
  deliveryStates: ['pending', 'delivered', 'failed'],
  drivers: processorRegistry('local').drivers.map(({ name, settings, help, events }) => ({
    name,
    settings: ownSettings(settings).map((own) => ({ ...own, flag: optionName(own.name) })),
    help,
    eventsHelp: events?.help ?? null,
  })),
  networks: networkNames,
  threedsProviders: contract.threeds.createSession.body.shape.provider.unwrap().options,
}
