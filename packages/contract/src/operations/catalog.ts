import { z } from 'zod'
import { archivedFilter, changeErrors, howToArchive, howToChange, optionalRevision, revisionOnly } from '../changes.ts'
import { decidedElsewhere } from '../decided-elsewhere.ts'
import { referenceTo } from '../ids.ts'
import { byTime, createdBetween, flagFilter, howToList, listOf, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { newPromotion, promotion, promotionChange, promotionSummary } from '../resources/promotions.ts'
import { newShippingOptions, shippingOptions as storeShippingOptions } from '../resources/shipping-options.ts'
import { newStore, store, storeChange } from '../resources/stores.ts'

/** Source: reference, "POST /stores/create". */
export const stores = {
  create: {
    method: 'POST',
    path: '/api/public/v1/stores/create',
    audience: 'key',
    scope: 'stores:write',
    summary: 'Create a store',
    description:
      'The store can take payments once it has a payment flow. `credentials` are stored encrypted and never returned.',
    body: newStore,
    status: 201,
    response: store,
    errors: ['resource_exists', 'resource_missing', 'state_conflict', 'currency_unsupported'],
    emits: ['s_store_created', 's_product_created'],
    idempotent: 'transaction',
  },
  get: {
    method: 'GET',
    path: '/api/catalog/v1/stores/{storeId}',
    audience: 'key',
    scope: 'stores:read',
    summary: 'Read a store',
    description: 'Its `credentials` are never returned.',
    params: z.object({ storeId: referenceTo('store', 'The id of the store.') }),
    status: 200,
    response: store,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/catalog/v1/stores',
    audience: 'key',
    scope: 'stores:read',
    summary: 'List stores',
    description: howToList,
    ...listOf(store, {
      ...byTime,
      ...archivedFilter,
      ...createdBetween,
      q: searchFor('a name or the beginning of an id', 'tea'),
    }),
    status: 200,
    errors: [],
  },
  update: {
    method: 'PATCH',
    path: '/api/catalog/v1/stores/{storeId}',
    audience: 'key',
    scope: 'stores:write',
    summary: 'Update a store',
    description: `Orders and subscriptions keep what they were made with. \`credentials\` are stored encrypted and never returned. ${howToChange}`,
    params: z.object({ storeId: referenceTo('store', 'The id of the store.') }),
    body: storeChange,
    decided: decidedElsewhere.store,
    status: 200,
    response: store,
    errors: [...changeErrors, 'state_conflict', 'currency_unsupported'],
    emits: ['s_store_updated'],
    idempotent: 'transaction',
  },
  archive: {
    method: 'POST',
    path: '/api/catalog/v1/stores/{storeId}/archive',
    audience: 'key',
    scope: 'stores:write',
    summary: 'Archive a store',
    description: `It makes no new sales; its orders can be captured and refunded, and its subscriptions go on. ${howToArchive}`,
    params: z.object({ storeId: referenceTo('store', 'The id of the store.') }),
    body: revisionOnly,
    status: 200,
    response: store,
    errors: changeErrors,
    emits: ['s_store_updated'],
    idempotent: 'transaction',
  },
  unarchive: {
    method: 'POST',
    path: '/api/catalog/v1/stores/{storeId}/unarchive',
    audience: 'key',
    scope: 'stores:write',
    summary: 'Unarchive a store',
    description: `It sells again. ${howToArchive}`,
    params: z.object({ storeId: referenceTo('store', 'The id of the store.') }),
    body: revisionOnly,
    status: 200,
    response: store,
    errors: changeErrors,
    emits: ['s_store_updated'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>

const ofStore = z.object({ storeId: referenceTo('store', 'The store.') })

/** Not in the reference: the shipping options a store offers for orders that are built in the buyer's page. */
export const shippingOptions = {
  list: {
    method: 'GET',
    path: '/api/payments/v1/stores/{storeId}/shipping-options',
    audience: 'key',
    scope: 'stores:read',
    summary: 'List shipping options',
    description: 'Returns all shipping options of a store, in the order in which buyers see them.',
    params: ofStore,
    status: 200,
    response: storeShippingOptions,
    errors: ['resource_missing'],
  },
  set: {
    method: 'POST',
    path: '/api/payments/v1/stores/{storeId}/shipping-options',
    audience: 'key',
    scope: 'stores:write',
    summary: 'Set shipping options',
    description:
      'Replaces all shipping options of the store. A buyer’s page shows those that fit the order’s currency and destination, and the chosen one sets the shipping price. Without a matching option, goods that need shipping cannot be paid for in a page.',
    params: ofStore,
    body: newShippingOptions,
    status: 200,
    response: storeShippingOptions,
    errors: ['resource_missing', 'amount_invalid', 'currency_unsupported'],
    emits: ['s_shipping_options_updated'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>

const promotionId = referenceTo('promotion', 'The promotion.')

/** Source: reference, "POST /promotions/create", "POST /promotions/update" and "POST /promotions/getById". */
export const promotions = {
  create: {
    method: 'POST',
    path: '/api/public/v1/promotions/create',
    audience: 'key',
    scope: 'promotions:write',
    summary: 'Create a promotion',
    description:
      'Creates a promotion with its rules and actions. A code is unique among the active promotions of its store, ignoring case. A promotion without rules always applies.',
    body: newPromotion,
    status: 201,
    response: promotionSummary,
    errors: ['resource_exists', 'resource_missing', 'amount_invalid', 'currency_unsupported'],
    emits: ['s_promotion_created'],
    idempotent: 'transaction',
  },
  update: {
    method: 'POST',
    path: '/api/public/v1/promotions/update',
    audience: 'key',
    scope: 'promotions:write',
    summary: 'Update a promotion',
    description:
      'Orders that are being paid keep the price they were given. An update that changes nothing leaves `revision` and `updatedAt` as they are and emits no event. Send the `revision` that you last read to be refused, with 409 `revision_conflict`, if somebody has changed the promotion since.',
    body: z.object({
      id: promotionId,
      data: promotionChange.meta({
        description:
          'The fields to change. Fields you leave out stay as they are, null clears a field, and a list replaces the previous one.',
        examples: [{ enabled: false }],
      }),
      revision: optionalRevision,
    }),
    status: 200,
    response: promotionSummary,
    errors: [...changeErrors, 'resource_exists', 'state_conflict', 'amount_invalid', 'currency_unsupported'],
    emits: ['s_promotion_updated'],
    idempotent: 'transaction',
  },
  getById: {
    method: 'POST',
    path: '/api/public/v1/promotions/getById',
    audience: 'key',
    scope: 'promotions:read',
    summary: 'Read a promotion',
    description:
      'Returns the promotion with its rules and actions. `usageCount` is the number of paid orders that it discounted.',
    body: z.object({
      id: promotionId,
      storeId: referenceTo('store', 'The store that the promotion belongs to.'),
    }),
    status: 200,
    response: promotion,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/catalog/v1/promotions',
    audience: 'key',
    scope: 'promotions:read',
    summary: 'List promotions',
    description: howToList,
    ...listOf(promotion, {
      ...byTime,
      storeId: ofResource('store', 'Only promotions of this store.'),
      enabled: flagFilter('Only promotions that are enabled, or only those that are not.'),
      ...archivedFilter,
      ...createdBetween,
      q: searchFor('a name, a code, or the beginning of an id', 'welcome10'),
    }),
    status: 200,
    errors: [],
  },
  archive: {
    method: 'POST',
    path: '/api/catalog/v1/promotions/{promotionId}/archive',
    audience: 'key',
    scope: 'promotions:write',
    summary: 'Archive a promotion',
    description: `It applies to no further order, and its code is free for another promotion; orders that are being paid keep the price they were given. ${howToArchive}`,
    params: z.object({ promotionId }),
    body: revisionOnly,
    status: 200,
    response: promotion,
    errors: changeErrors,
    emits: ['s_promotion_updated'],
    idempotent: 'transaction',
  },
  unarchive: {
    method: 'POST',
    path: '/api/catalog/v1/promotions/{promotionId}/unarchive',
    audience: 'key',
    scope: 'promotions:write',
    summary: 'Unarchive a promotion',
    description: `It applies again, unless another promotion has taken its code in the meantime. ${howToArchive}`,
    params: z.object({ promotionId }),
    body: revisionOnly,
    status: 200,
    response: promotion,
    errors: [...changeErrors, 'resource_exists'],
    emits: ['s_promotion_updated'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
