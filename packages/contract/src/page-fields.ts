import type { Contract } from './contract.ts'

/** The party that decides the effect of a request field; `none` if it has no effect. */
export type Decider = 'buyer' | 'merchant' | 'platform' | 'issuer' | 'none'

/** A field that a page may send: who decides it, and why it cannot change what is charged. */
export interface PageField {
  decides: Decider
  why: string
}

type PageGroup = 'recoveries' | 'session' | 'vault' | 'threedsFrame'

/**
 * Every field that a buyer's page or a frame may send, by operation. A page runs in a browser that its visitor
 * controls, so nothing it sends can be a price: it refers to the merchant's objects, and the server looks up what they
 * cost. An operation missing from this table does not compile, and a missing field fails a test.
 */
export const pageFields: { [Group in PageGroup]: Record<keyof Contract[Group], Record<string, PageField>> } = {
  recoveries: {
    read: { token: platform('Signed by the platform for one period of one subscription.') },
    pay: {
      token: platform(
        'Signed by the platform for one period of one subscription; what it costs is the subscription’s to say.',
      ),
      serviceToken: platform('Created by the vault for the card that the buyer has typed, for one use in this store.'),
      expectedAmount: platform('Compared with the price and never charged: a different amount is a 409.'),
    },
    continue: { token: platform('Signed by the platform; the payment is the subscription’s, and the issuer decides.') },
  },
  session: {
    begin: {
      funnelId: merchant('The funnel and everything it sells belong to the merchant; an unknown funnel is not found.'),
      stepId: merchant('A step sells nothing by itself, and a session cannot start at a step after a checkout.'),
      storeId: merchant('The store and its catalogue belong to the merchant; a store of another key is not found.'),
    },
    get: {},
    handOver: {},
    redeem: {
      code: platform(
        'Created by the platform for one session and one use; brought-along lines wait for the buyer’s confirmation.',
      ),
    },
    confirmOrder: {
      confirmation: platform('Compared with the order at its current price; an outdated one is refused.'),
    },
    setLines: {
      currency: merchant('Selects among amounts set by the merchant; a price without an amount in it is refused.'),
      'lines[].variantId': buyer('The buyer chooses what to buy; its price comes from the catalogue.'),
      'lines[].priceId': merchant('Only the default price and prices with `offeredToPages` are accepted.'),
      'lines[].quantity': buyer('A whole number of at least 1, multiplied by a unit price from the catalogue.'),
    },
    chooseShipping: {
      shippingOptionId: merchant('Selects among the store’s options that fit; the server sets their price.'),
    },
    addPromotionCode: {
      code: merchant('Refers to a promotion of the merchant; the server reads its rules, limit and discounts.'),
    },
    removePromotionCode: {
      'query.code': merchant('Removes a discount: the price can only return to the catalogue price.'),
    },
    setContact: {
      email: buyer('Stored with the order; no price depends on it, and it identifies no other customer.'),
      firstName: buyer('Stored with the order; no price depends on it.'),
      lastName: buyer('Stored with the order; no price depends on it.'),
      phone: buyer('Stored with the order; no price depends on it.'),
    },
    setAddress: {
      ...addressFields(
        'billingAddress',
        'Without a shipping address, it determines which shipping options fit, at the merchant’s prices.',
      ),
      ...addressFields(
        'shippingAddress',
        'Determines where the goods go and which shipping options fit, at the merchant’s prices.',
      ),
    },
    findMethods: {
      storeId: merchant('The store and its flow belong to the merchant; a store of another key is not found.'),
      currency: none('Only decides what is listed; a payment is priced anew.'),
      amount: none('Only decides what is listed; a payment is priced anew.'),
      country: none('Only decides what is listed; a payment goes by its own buyer’s country.'),
    },
    findOwnMethods: {},
    pay: {
      serviceToken: buyer('Represents a card; the amount does not depend on it.'),
      paymentInstrumentId: buyer('A card already used in this session; the amount does not depend on it.'),
      'paymentMethod.type': buyer('The method; the amount and where the buyer comes back to do not depend on it.'),
      'paymentMethod.iban': buyer('The account that is debited; the amount does not depend on it.'),
      'paymentMethod.holderName': buyer('Who holds that account; the amount does not depend on it.'),
      'paymentMethod.mandateAccepted': buyer('The buyer’s word that they have agreed to the mandate.'),
      securityCodeToken: buyer('Represents the security code of the card.'),
      expectedAmount: platform('Compared with the price and never charged: a different amount is a 409.'),
      expectedDeferredAmount: platform('Compared with the price of what is charged later: a different sum is a 409.'),
      expectedCurrency: platform('Compared with the order’s currency and never charged: a different one is a 409.'),
    },
    continuePayment: {
      'params.paymentId': platform('A payment of this session; its amount was recorded when it was created.'),
    },
    next: { stepId: merchant('Steps belong to the merchant; moving between them changes no price.') },
    goTo: { stepId: merchant('Steps belong to the merchant; moving between them changes no price.') },
    track: {
      name: none('Recorded as an event from a page; no price or shipment depends on it.'),
      properties: none('Recorded with that event; no price or shipment depends on it.'),
    },
  },
  vault: {
    createToken: {
      jwe: buyer('Contains only the card, encrypted for the vault.'),
      challengeResponse: platform('Checked by the operator’s verifier; it only allows a card to be sent.'),
    },
    createSecurityCode: {
      jwe: buyer('Contains only the security code, encrypted for the vault.'),
      challengeResponse: platform('Checked by the operator’s verifier; it only allows a code to be sent.'),
    },
    readWallets: { 'query.origin': platform('Compared with the origins of the key; the session is bound to it.') },
    createAppleSession: {
      session: platform('Made and sealed by the platform for one key and one origin.'),
      origin: platform('Compared with the session’s; Apple compares it with the merchant’s domains.'),
      validationUrl: platform('Compared with Apple’s documented hosts; no other is asked.'),
    },
    createWalletToken: {
      session: platform('Made and sealed by the platform for one key and one origin.'),
      origin: platform('Compared with the session’s.'),
      wallet: buyer('The wallet that the buyer paid with; its signature is verified.'),
      token: buyer('Contains only the card, encrypted and signed by the wallet.'),
    },
  },
  threedsFrame: {
    start: { actionToken: platform('Created by the platform for one session of a payment whose amount is recorded.') },
    authenticate: {
      actionToken: platform('Created by the platform for one session of a payment whose amount is recorded.'),
      ...browserFields(),
      methodCompletion: platform('The vault’s own record of the method page takes precedence.'),
    },
    result: { actionToken: platform('Created by the platform for one session; it reads the issuer’s answer.') },
    cancel: { actionToken: platform('Created by the platform for one session, which ends unauthenticated.') },
  },
}

function buyer(why: string): PageField {
  return { decides: 'buyer', why }
}

function merchant(why: string): PageField {
  return { decides: 'merchant', why }
}

function platform(why: string): PageField {
  return { decides: 'platform', why }
}

function none(why: string): PageField {
  return { decides: 'none', why }
}

function addressFields(address: string, ofCountry: string): Record<string, PageField> {
  const plain = ['line1', 'line2', 'city', 'state', 'postalCode'].map((name) => [
    `${address}.${name}`,
    buyer('Stored with the order; no price depends on it.'),
  ])
  return { ...Object.fromEntries(plain), [`${address}.country`]: buyer(ofCountry) }
}

/** The issuer uses browser data to decide whether to require a challenge. */
function browserFields(): Record<string, PageField> {
  const names = [
    'javaEnabled',
    'language',
    'colorDepth',
    'screenHeight',
    'screenWidth',
    'timeZoneOffset',
    'challengeWindowSize',
  ]
  const why = 'The issuer assesses the browser by it; the authenticated amount is the payment’s.'
  return Object.fromEntries(names.map((name) => [`browser.${name}`, { decides: 'issuer', why } as const]))
}
