import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { newPromotion, promotion, promotionChange, promotionSummary } from '../resources/promotions.ts'

const promotionId = referenceTo('promotion', 'The promotion.')

/** Source: reference, "POST /promotions/create", "POST /promotions/update" and "POST /promotions/getById". */
export const promotions = {
  create: {
    method: 'POST',
    path: '/api/public/v1/promotions/create',
    audience: 'key',
    scope: 'promotions:write',
    summary: 'Create a promotion with its rules and actions',
    description:
      'A code is unique among the live promotions of its store, whatever its case. A promotion without rules always holds.',
    body: newPromotion,
    status: 201,
    response: promotionSummary,
    errors: ['resource_exists', 'resource_missing', 'amount_invalid', 'currency_unsupported'],
    emits: ['s_promotion_created'],
    idempotent: 'unit',
  },
  update: {
    method: 'POST',
    path: '/api/public/v1/promotions/update',
    audience: 'key',
    scope: 'promotions:write',
    summary: 'Change fields of a promotion and leave the others as they are',
    description: 'Orders that are being paid keep the price that they were given.',
    body: z.object({
      id: promotionId,
      data: promotionChange.meta({
        description: 'What changes: what is absent stays, null clears, a list replaces the former one whole.',
        examples: [{ enabled: false }],
      }),
    }),
    status: 200,
    response: promotionSummary,
    errors: ['resource_exists', 'resource_missing', 'state_conflict', 'amount_invalid', 'currency_unsupported'],
    emits: ['s_promotion_updated'],
    idempotent: 'unit',
  },
  getById: {
    method: 'POST',
    path: '/api/public/v1/promotions/getById',
    audience: 'key',
    scope: 'promotions:read',
    summary: 'Read a promotion with its rules and actions',
    description: '`usageCount` counts the paid orders that it has reduced.',
    body: z.object({
      id: promotionId,
      storeId: referenceTo('store', 'The store that the promotion belongs to.'),
    }),
    status: 200,
    response: promotion,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
