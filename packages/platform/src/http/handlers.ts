import type { Contract } from '@tillwright/contract'
import { accounts } from '../accounts/index.ts'
import { audit } from '../audit/index.ts'
import { products, shippingOptions, stores } from '../catalog/index.ts'
import { customers, paymentInstruments } from '../customers/index.ts'
import { disputes } from '../disputes/index.ts'
import { eventLog, events } from '../events/index.ts'
import { funnels, funnelSessions } from '../funnels/index.ts'
import { type ConsolePlace, me, members, setCookie } from '../members/index.ts'
import { orders } from '../orders/index.ts'
import { payments } from '../payments/index.ts'
import { pageUrls, type PluginHosting, pluginManagement, plugins } from '../plugins/index.ts'
import { postAuthorization } from '../post-authorization/index.ts'
import { processors } from '../processors/index.ts'
import { promotions } from '../promotions/index.ts'
import type { Handlers } from '../request-context.ts'
import { type Charging, paymentFlows } from '../routing/index.ts'
import { sessions } from '../sessions/index.ts'
import { subscriptions } from '../subscriptions/index.ts'
import { threeds, threedsFrame, type ThreedsServer } from '../threeds/index.ts'
import { createSecurityCode, createToken, type Gate, type JweKeys } from '../vault/index.ts'

/** One handler for each operation of the contract: a missing one does not compile. */
export type AllHandlers = { [Group in keyof Contract]: Handlers<Contract[Group]> }

/** External dependencies of the handlers, besides the database. */
export interface Outside {
  charging: Charging
  /** `null` in a process that takes no cards. */
  jweKeys: JweKeys | null
  gate: Gate
  threedsServer: ThreedsServer
  hosting: PluginHosting
  consolePlace: ConsolePlace
  /** Aborted when the platform stops; ends all waiting requests. */
  stopping: AbortSignal
}

/** The handlers of the whole contract. */
export function allHandlers({
  charging,
  jweKeys,
  gate,
  threedsServer,
  hosting,
  consolePlace,
  stopping,
}: Outside): AllHandlers {
  const paying = { ...charging, threedsProviders: threedsServer.providers }
  return {
    accounts,
    stores,
    products,
    shippingOptions,
    promotions,
    customers,
    paymentFlows,
    paymentInstruments,
    payments: { ...payments(paying, gate.cardTries), ...postAuthorization(charging) },
    session: sessions({ paying, cardTries: gate.cardTries, urlsOf: pageUrls(hosting.pluginsUrl) }),
    orders,
    subscriptions,
    disputes,
    funnels,
    funnelSessions,
    processors,
    threeds: threeds(threedsServer),
    threedsFrame: threedsFrame(threedsServer),
    events,
    eventLog: eventLog(stopping),
    plugins: plugins(hosting),
    pluginManagement: pluginManagement(hosting),
    members: members(consolePlace.origin),
    me: me(setCookie('session', null, consolePlace)),
    audit,
    vault: jweKeys === null ? takenElsewhere : takingCards({ jweKeys, codes: charging.codes, ...gate }),
  }
}

function takingCards(parts: Parameters<typeof createToken>[0]): AllHandlers['vault'] {
  return { createToken: createToken(parts), createSecurityCode: createSecurityCode(parts) }
}

/** Not routed: a process without the role `vault` has no such origin. */
const takenElsewhere: AllHandlers['vault'] = {
  createToken: () => Promise.reject(new Error('This process takes no cards.')),
  createSecurityCode: () => Promise.reject(new Error('This process takes no cards.')),
}
