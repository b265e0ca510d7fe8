/** Fields that every resource has and no update. */
const ofEvery = {
  id: 'is what the object was created with, and never changes; leave it out',
  createdAt: 'is set by the platform when it creates the object; leave it out',
  updatedAt: 'is set by the platform with every change; leave it out',
}

const accountId = 'is the account of the key or member who created the object, and never changes; leave it out'
const storeId = 'is the store that the object was created in, and never changes; create another one in the other store'
const archived = 'is changed by the operations that archive and unarchive; leave it out'
const variants = 'is changed by the operations of variants and prices, one of them at a time; leave it out'
const ofProduct = 'is a field of the product; send it to PATCH /api/catalog/v1/products/{productId}'
const sold = 'is what was sold, and never changes; refund the payment, or sell a new order'
const ofPayments = 'follows from the payments of the order; charge, capture, refund or void one of them'
const ofCard = 'is what the buyer gave the card with, and never changes; ask the buyer for another card'

const productFields = {
  ...ofEvery,
  storeId: ofProduct,
  unitLabel: ofProduct,
  accountingCode: ofProduct,
  taxCategory: ofProduct,
  isShippable: ofProduct,
  isTaxable: ofProduct,
  autoSync: ofProduct,
  variants,
  archived,
}

/**
 * Who decides the fields that a resource has and its update has not, in words that continue the field's name. What an
 * update says of such a field, by the name of the resource whose update it is.
 */
export const decidedElsewhere = {
  account: {
    ...ofEvery,
    environment: 'is set by the operator of the platform, for all accounts, in TILLWRIGHT_ENVIRONMENT; leave it out',
    plan: 'is set by the operator of the platform, with "tillwright accounts update --plan"; ask whoever runs it',
    pagesOffSince:
      'is set by the operator of the platform, with "tillwright accounts update --pages"; ask whoever runs it',
    limits:
      'follows from the plan, or is set by the operator of the platform, with "tillwright accounts update --rate-per-minute --burst"; ask whoever runs it',
  },
  store: { ...ofEvery, accountId, archived },
  product: { ...ofEvery, storeId, variants, archived },
  variant: productFields,
  price: { ...productFields, name: ofProduct, description: ofProduct, active: ofProduct },
  customer: { ...ofEvery, accountId, storeId, archived },
  paymentFlow: { ...ofEvery, archived },
  paymentInstrument: {
    ...ofEvery,
    accountId,
    type: ofCard,
    customerId: ofCard,
    tokenizer: ofCard,
    card: ofCard,
    wallet: ofCard,
    cardEnrichment: ofCard,
    customer: 'is a resource of its own; send the change to PATCH /api/payments/v1/customers/{customerId}',
    processorTokens: 'is what processors hold of the card, as they tell the platform; leave it out',
    consent: 'is given by the buyer alone, in a payment with setupFutureUsage; leave it out',
    replacement: 'is told by the issuer through the processor; leave it out',
  },
  order: {
    ...ofEvery,
    accountId,
    storeId: sold,
    customerId: sold,
    currency: sold,
    amount: sold,
    subtotal: sold,
    discountAmount: sold,
    shippingAmount: sold,
    shippingDiscount: sold,
    shippingOption: sold,
    taxAmount: sold,
    deferredAmount: sold,
    lines: sold,
    promotions: sold,
    hooks: sold,
    isPreview: sold,
    buyer: sold,
    paymentIds: ofPayments,
    status: ofPayments,
    paidAt: ofPayments,
  },
  processor: {
    ...ofEvery,
    accountId,
    driver: 'is what the processor was created with, and never changes; create another processor',
    hasSecret: 'says whether there is a secret; send secret',
    hasWebhookSecret: 'says whether there is a secret; send webhookSecret',
    stopped: 'is decided by the operator of the platform, who gives it the drivers; ask whoever runs it',
    archived: 'is changed by POST /api/public/v1/processors/delete; leave it out',
    archivedAt: 'is set by POST /api/public/v1/processors/delete; leave it out',
  },
  webhookEndpoint: {
    ...ofEvery,
    accountId,
    storeId: 'is what the endpoint was created for, and never changes; create another endpoint',
    failingSince: 'is set by the platform when deliveries fail; send enabled: true to forgive that',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>
