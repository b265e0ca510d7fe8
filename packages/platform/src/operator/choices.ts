import {
  eventTypes,
  plans,
  roles,
  scopes,
  type EventType,
  type Plan,
  type Role,
  type Scope,
} from '@tillwright/contract'
import type { DeliveryState } from '../events/deliveries.ts'

/** What an operator can choose from, for the command line's own checks and help. */
export const choices: Readonly<{
  plans: readonly Plan[]
  roles: readonly Role[]
  scopes: readonly Scope[]
  events: readonly EventType[]
  deliveryStates: readonly DeliveryState[]
}> = {
  plans: Object.keys(plans) as Plan[], // of a literal
  roles,
  scopes,
  events: Object.keys(eventTypes) as EventType[], // of a literal
  deliveryStates: ['pending', 'delivered', 'failed'],
}
