import {
  contract,
  type EventType,
  eventTypes,
  type MemberRole,
  memberRoles,
  type Plan,
  plans,
  type Role,
  roles,
  type Scope,
  scopes,
  type ThreedsProviderName,
} from '@tillwright/contract'
import { type NetworkName, networkNames } from '@tillwright/contract/networks'
import type { DeliveryState } from '../events/index.ts'
import { ownSettings, processorRegistry, type SettingOption } from '../processors/index.ts'
import { optionName, processorOptions } from './check-processor.ts'

/** A driver of processors, as the command line offers it. */
export interface DriverChoice {
  name: string
  /** The settings of its own, each with the option that it is given by. */
  settings: readonly { name: string; flag: string; option: SettingOption }[]
  help: string
  /** How its events are set up; `null` where it sends none. */
  eventsHelp: string | null
}

/** Valid choices, for the command line's own checks and help. */
export const choices: Readonly<{
  plans: readonly Plan[]
  roles: readonly Role[]
  memberRoles: readonly MemberRole[]
  scopes: readonly Scope[]
  events: readonly EventType[]
  deliveryStates: readonly DeliveryState[]
  drivers: readonly DriverChoice[]
  processorOptions: typeof processorOptions
  networks: readonly NetworkName[]
  threedsProviders: readonly ThreedsProviderName[]
}> = {
  plans: Object.keys(plans) as Plan[], // of a literal
  roles,
  memberRoles,
  scopes,
  events: Object.keys(eventTypes) as EventType[], // of a literal
  deliveryStates: ['pending', 'delivered', 'failed'],
  drivers: processorRegistry('local').drivers.map(({ name, settings, help, events }) => ({
    name,
    settings: ownSettings(settings).map((own) => ({ ...own, flag: optionName(own.name) })),
    help,
    eventsHelp: events?.help ?? null,
  })),
  processorOptions,
  networks: networkNames,
  threedsProviders: contract.threeds.createSession.body.shape.provider.unwrap().options,
}
