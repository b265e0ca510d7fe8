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
import { driverNames, type DriverName } from '../payments/routing/processors.ts'
import { networkNames } from '../payments/processors/processor-settings.ts'
import type { NetworkName } from '@tillwright/contract/networks'

/** What an operator can choose from, for the command line's own checks and help. */
export const choices: Readonly<{
  plans: readonly Plan[]
  roles: readonly Role[]
  scopes: readonly Scope[]
  events: readonly EventType[]
  deliveryStates: readonly DeliveryState[]
  drivers: readonly DriverName[]
  networks: readonly NetworkName[]
  threedsProviders: readonly ThreedsProviderName[]
}> = {
  plans: Object.keys(plans) as Plan[], // of a literal
  roles,
  scopes,
  events: Object.keys(eventTypes) as EventType[], // of a literal
  deliveryStates: ['pending', 'delivered', 'failed'],
  drivers: driverNames,
  networks: networkNames,
  threedsProviders: contract.threeds.createSession.body.shape.provider.unwrap().options,
}
