import type { Contract } from './contract.ts'

/** Who decides what a field of a request comes to. */
export type Decider = 'buyer' | 'merchant' | 'platform' | 'issuer' | 'nobody'

/** A field that a page may send: who decides about it, and why it cannot change what is charged. */
export interface PageField {
  decides: Decider
  why: string
}

type PageGroup = 'session' | 'vault' | 'threedsFrame'

/**
 * Every field that a buyer's page or a frame may send, by operation. A page runs whatever its visitor wants, so that
 * nothing it sends may be a price: it names things of the merchant's, and the server looks up what they cost. An operation
 * that is not in this table does not compile, and a field that is not fails a test.
 */
export const pageFields: { [Group in PageGroup]: Record<keyof Contract[Group], Record<string, PageField>> } = {
  session: {
    begin: {
      funnelId: merchant('The funnel and all that it sells are the merchant’s; an unknown one is not found.'),
      stepId: merchant('A step sells nothing by itself, and one behind a checkout is not begun with.'),
      storeId: merchant('The store and its catalogue are the merchant’s; one of another key is not found.'),
    },
    get: {},
    handOver: {},
    redeem: {
      code: platform(
        'Made by the platform for one session, once; lines that come along wait for the buyer’s confirmation.',
      ),
    },
    confirmOrder: {
      confirmation: platform('It is compared with the order as it is priced now; an older one is refused.'),
    },
    setLines: {
      currency: merchant('It selects among the amounts that the merchant has set; a price without it is refused.'),
      'lines[].variantId': buyer('What is bought is the buyer’s choice; what it costs stands in the catalogue.'),
      'lines[].priceId': merchant(
        'Only the default price and those with `offeredToPages` are taken, any other is refused.',
      ),
      'lines[].quantity': buyer('A whole number from 1 on, times a unit price of the catalogue.'),
    },
    chooseShipping: {
      shippingOptionId: merchant('It selects among the store’s options that fit; the server knows what they cost.'),
    },
    addPromotionCode: {
      code: merchant('It names a promotion of the merchant’s, whose rules, limit and reductions the server reads.'),
    },
    removePromotionCode: {
      'query.code': merchant('A promotion less takes less off: the price can only go back to the catalogue’s.'),
    },
    setContact: {
      email: buyer('Kept with the order; no price depends on it, and it leads to no other customer.'),
      firstName: buyer('Kept with the order; no price depends on it.'),
      lastName: buyer('Kept with the order; no price depends on it.'),
      phone: buyer('Kept with the order; no price depends on it.'),
    },
    setAddress: {
      ...addressFields(
        'billingAddress',
        'Without a shipping address it decides which shipping options fit, at the merchant’s prices.',
      ),
      ...addressFields(
        'shippingAddress',
        'It decides which shipping options fit, at the merchant’s prices; the goods go there.',
      ),
    },
    pay: {
      serviceToken: buyer('It stands for a card; what is charged does not depend on the card.'),
      paymentInstrumentId: buyer('A card that this session has used; what is charged does not depend on it.'),
      securityCodeToken: buyer('It stands for the security code of the card.'),
      expectedAmount: platform('It is compared with the price and never charged: another amount is a 409.'),
      expectedCurrency: platform('It is compared with the order’s currency and never charged: another one is a 409.'),
    },
    continuePayment: {
      'params.paymentId': platform('A payment of this session, whose amount is on record since it began.'),
    },
    next: { stepId: merchant('Steps are the merchant’s; moving between them prices nothing.') },
    goTo: { stepId: merchant('Steps are the merchant’s; moving between them prices nothing.') },
    track: {
      name: nobody('Becomes an event that says it came from a page; nothing is priced or shipped because of it.'),
      properties: nobody('Becomes part of that event; nothing is priced or shipped because of it.'),
    },
  },
  vault: {
    createToken: {
      jwe: buyer('It holds the card alone, under the vault’s key.'),
      challengeResponse: platform('The verifier that the operator has named judges it; it lets a card be sent.'),
    },
    createSecurityCode: {
      jwe: buyer('It holds the security code alone, under the vault’s key.'),
      challengeResponse: platform('The verifier that the operator has named judges it; it lets a code be sent.'),
    },
  },
  threedsFrame: {
    start: { actionToken: platform('Made by the platform for one session of a payment whose amount is on record.') },
    authenticate: {
      actionToken: platform('Made by the platform for one session of a payment whose amount is on record.'),
      ...browserFields(),
      methodCompletion: platform('The vault’s own record of the method page counts.'),
    },
    result: { actionToken: platform('Made by the platform for one session; what the issuer has said is read by it.') },
    cancel: { actionToken: platform('Made by the platform for one session, which ends unauthenticated.') },
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

function nobody(why: string): PageField {
  return { decides: 'nobody', why }
}

function addressFields(address: string, ofCountry: string): Record<string, PageField> {
  const plain = ['line1', 'line2', 'city', 'state', 'postalCode'].map((name) => [
    `${address}.${name}`,
    buyer('Kept with the order; no price depends on it.'),
  ])
  return { ...Object.fromEntries(plain), [`${address}.country`]: buyer(ofCountry) }
}

/** The issuer weighs what a browser says of itself when it decides whether to ask the buyer for more. */
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
  const why = 'The issuer judges the browser by it; the amount that is authenticated is the payment’s.'
  return Object.fromEntries(names.map((name) => [`browser.${name}`, { decides: 'issuer', why } as const]))
}
