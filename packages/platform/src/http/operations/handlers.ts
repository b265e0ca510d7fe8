import type { Contract } from '@tillwright/contract'
import { accounts, apiKeys } from '../../accounts/index.ts'
import { audit } from '../../audit/index.ts'
import { prices, products, shippingOptions, stores, variants } from '../../catalog/index.ts'
import { customers, paymentInstruments } from '../../customers/index.ts'
import { eraseCustomer, erasures, exportCustomer } from '../../privacy/index.ts'
import { disputes, submitEvidence } from '../../disputes/index.ts'
import { eventLog, events, type LiveEvents, webhookEndpoints } from '../../events/index.ts'
import { funnels, funnelSessions } from '../../funnels/index.ts'
import { hooks } from '../../hooks/index.ts'
import { type ConsolePlace, me, members, type OpenIdProvider } from '../../members/index.ts'
import { type Overseen, platformState } from '../../oversight/index.ts'
import { orders } from '../../orders/index.ts'
import { continueAuthenticated, createPayment, paymentReads, verifyInstrument } from '../../payments/index.ts'
import { pageUrls, type PluginHosting, pluginManagement, plugins } from '../../plugins/index.ts'
import { postAuthorization, refundLimits, refundRequests, refunds } from '../../post-authorization/index.ts'
import { type ProcessorRegistry, processors } from '../../processors/index.ts'
import { promotions } from '../../promotions/index.ts'
import { retryRenewal } from '../../renewals/index.ts'
import type { Handlers } from '../../request-context.ts'
import { type Charging, paymentFlows, processorHealth } from '../../routing/index.ts'
import type { PersonalTable } from '../../storage/index.ts'
import { createRecoveryLink, recoveries, sessions } from '../../sessions/index.ts'
import { statistics } from '../../statistics/index.ts'
import { subscriptions } from '../../subscriptions/index.ts'
import { threeds, threedsFrame, threedsProviders, type ThreedsServer } from '../../threeds/index.ts'
import {
  createSecurityCode,
  createToken,
  type Gate,
  type JweKeys,
  wallets,
  type WalletServices,
} from '../../vault/index.ts'

/** One handler for each operation of the contract: a missing one does not compile. */
export type AllHandlers = { [Group in keyof Contract]: Handlers<Contract[Group]> }

/** External dependencies of the handlers, besides the database. */
export interface Outside {
  charging: Charging
  /** `null` in a process that takes no cards. */
  jweKeys: JweKeys | null
  gate: Gate
  walletServices: Pick<WalletServices, 'simulated' | 'googleRootKeys' | 'askApple'>
  threedsServer: ThreedsServer
  hosting: PluginHosting
  registry: ProcessorRegistry
  consolePlace: ConsolePlace
  /** Where customers' data is, and what becomes of it. */
  personal: readonly PersonalTable[]
  openId: OpenIdProvider | null
  liveEvents: LiveEvents
  overseen: Overseen
  isOperator: (accountId: string) => boolean
  /** Made of what a process has that no other room knows. */
  own: Pick<AllHandlers, 'requests' | 'testClock'>
  /** Aborted when the platform stops; ends all waiting requests. */
  stopping: AbortSignal
}

/** The handlers of the whole contract. */
export function allHandlers({ charging, jweKeys, gate, threedsServer, hosting, ...others }: Outside): AllHandlers {
  const { registry, personal, liveEvents, overseen, own, stopping, walletServices, ...people } = others
  const paying = { ...charging, threedsProviders: threedsServer.providers }
  return {
    accounts: accounts(async (name) => (await threedsServer.providers(name)) !== null),
    apiKeys,
    stores,
    products,
    variants,
    prices,
    shippingOptions,
    hooks,
    promotions,
    customers: { ...customers, erase: eraseCustomer(personal), export: exportCustomer(personal) },
    erasures,
    paymentFlows,
    paymentInstruments,
    payments: {
      create: createPayment(paying, gate.cardTries),
      verify: verifyInstrument(paying, gate.cardTries),
      continue: continueAuthenticated(paying, gate.cardTries),
      ...paymentReads,
      ...postAuthorization(charging),
    },
    session: sessions({ paying, cardTries: gate.cardTries, urlsOf: pageUrls(hosting.pluginsUrl) }),
    orders,
    refunds,
    refundLimits,
    refundRequests: refundRequests(charging),
    subscriptions: {
      ...subscriptions,
      retry: retryRenewal(charging),
      createRecoveryLink: createRecoveryLink(people.consolePlace.origin),
    },
    recoveries: recoveries(paying, gate.cardTries),
    disputes: { ...disputes, submitEvidence: submitEvidence(charging) },
    funnels,
    funnelSessions,
    processors: { ...processors(registry), health: processorHealth(charging.circuit) },
    threeds: threeds(threedsServer),
    threedsProviders: threedsProviders(threedsServer),
    threedsFrame: threedsFrame(threedsServer),
    statistics,
    events,
    eventLog: eventLog(stopping, liveEvents),
    webhookEndpoints,
    plugins: plugins(hosting),
    pluginManagement: pluginManagement(hosting),
    ...peopleOf(people),
    audit,
    platform: platformState(overseen),
    ...own,
    vault:
      jweKeys === null ? takenElsewhere : takingCards({ jweKeys, codes: charging.codes, ...gate, ...walletServices }),
  }
}

/** The people of an account, and who is signed in. */
function peopleOf({
  consolePlace,
  openId,
  isOperator,
}: Pick<Outside, 'consolePlace' | 'openId' | 'isOperator'>): Pick<AllHandlers, 'members' | 'me'> {
  return {
    members: members(consolePlace),
    me: me(consolePlace, { issuer: openId?.issuer ?? null, isOperator }),
  }
}

function takingCards(parts: Parameters<typeof createToken>[0] & WalletServices): AllHandlers['vault'] {
  return { createToken: createToken(parts), createSecurityCode: createSecurityCode(parts), ...wallets(parts) }
}

const takesNone = () => Promise.reject(new Error('This process takes no cards.'))

/** Not routed: a process without the role `vault` has no such origin. */
const takenElsewhere: AllHandlers['vault'] = {
  createToken: takesNone,
  createSecurityCode: takesNone,
  readWallets: takesNone,
  createAppleSession: takesNone,
  createWalletToken: takesNone,
}
