import { z } from 'zod'
import { idOf } from '../ids.ts'
import { HOOK_TIMEOUT_DEFAULT_MS, HOOK_TIMEOUT_MAX_MS, HOOK_TIMEOUT_MIN_MS } from '../limits.ts'
import { timestamp, webAddress } from '../text.ts'
import { hookKind, riskAnswer, shippingRatesAnswer, stockAnswer, taxAnswer } from './hook-answers.ts'

const meaning = {
  kind: {
    description:
      'The question: `tax` on the lines and the shipping, `shipping_rates` for a page’s order, whether the lines are in `stock`, and the `risk` of a payment.',
    examples: ['tax'],
  },
  url: {
    description: 'The address on your server. Outside `local` it must be `https:` and public.',
    examples: ['https://shop.example/hooks/tax'],
  },
  timeoutMs: {
    description: 'How long your server may take to answer, in milliseconds, from the look-up of its name on.',
    examples: [HOOK_TIMEOUT_DEFAULT_MS],
  },
  onFailure: {
    description:
      'Rule for a question without a valid answer in time. `continue`: no tax is added, the store’s own shipping options apply, the lines count as in stock, the payment as harmless. `refuse`: the order has no price or the payment is refused, until your server answers again.',
    examples: ['refuse'],
  },
  active: { description: 'Whether the question is asked.', examples: [true] },
}

const onFailure = z.enum(['continue', 'refuse'])
export type HookFailureRule = z.infer<typeof onFailure>

/** The body of `POST /api/payments/v1/stores/{storeId}/hooks/{kind}`. */
export const newHook = z.object({
  url: webAddress.meta(meaning.url),
  timeoutMs: z
    .int()
    .min(HOOK_TIMEOUT_MIN_MS)
    .max(HOOK_TIMEOUT_MAX_MS)
    .default(HOOK_TIMEOUT_DEFAULT_MS)
    .meta(meaning.timeoutMs),
  onFailure: onFailure.meta(meaning.onFailure),
  active: z.boolean().default(true).meta(meaning.active),
})

/** A hook of a store. */
export const hook = z
  .object({
    id: idOf('hook', 'The id of the hook.'),
    storeId: idOf('store', 'The store whose orders it is asked about.'),
    kind: hookKind.meta(meaning.kind),
    url: z.string().meta(meaning.url),
    timeoutMs: z.int().meta(meaning.timeoutMs),
    onFailure: onFailure.meta(meaning.onFailure),
    active: z.boolean().meta(meaning.active),
    createdAt: timestamp.meta({ description: 'When the hook was created.' }),
    updatedAt: timestamp.meta({ description: 'When the hook was last changed.' }),
  })
  .meta({ id: 'Hook', description: 'A question that a store has answered by the merchant’s own server.' })
export type Hook = z.infer<typeof hook>

const secret = z.string().meta({
  description:
    'The secret that signs the requests to your server. Shown only now: verify with `verifyHook` of the client.',
  examples: ['whsec_dGhpcyBpcyBhbiBleGFtcGxlIG9mIGEgc2VjcmV0ISE='],
})

/** A hook that was set. */
export const setHook = hook
  .extend({
    secret: secret.nullable().meta({
      description:
        'The secret that signs the requests to your server, shown only now; null for a hook that had one. Verify with `verifyHook` of the client.',
      examples: ['whsec_dGhpcyBpcyBhbiBleGFtcGxlIG9mIGEgc2VjcmV0ISE='],
    }),
  })
  .meta({ id: 'SetHook', description: 'A hook, with its secret if it is new.' })

/** A hook with a new secret. */
export const rotatedHook = hook.extend({ secret }).meta({ id: 'RotatedHook', description: 'A hook with a new secret.' })

/** The hooks of a store. */
export const hooks = z
  .object({
    storeId: idOf('store', 'The store.'),
    hooks: z.array(hook).meta({ description: 'The hooks of the store, at most one of each kind.' }),
  })
  .meta({ id: 'Hooks' })

/** Why there is no answer that counts. */
const hookFailure = z.enum([
  'timeout',
  'unreachable',
  'status',
  'too_large',
  'malformed',
  'busy',
  'circuit_open',
  'secret_unreadable',
])
export type HookFailure = z.infer<typeof hookFailure>

/** One question to a hook for an order: its answer, or the failure, and the consequence. */
export const orderHook = z
  .object({
    id: z.string().meta({
      description: 'The id of the question, as sent in `webhook-id`.',
      examples: ['q_3q8Zb1kV0pR7sT2uW9xYaB0cDfGhJkLmNpQrStUvWxY'],
    }),
    kind: hookKind.meta(meaning.kind),
    askedAt: timestamp.meta({ description: 'When your server was asked.' }),
    tookMs: z.int().meta({ description: 'How long the answer took, in milliseconds.', examples: [84] }),
    answer: z
      .union([taxAnswer, shippingRatesAnswer, stockAnswer, riskAnswer])
      .nullable()
      .meta({ description: 'The answer; null without one that counts.' }),
    failure: hookFailure.nullable().meta({
      description:
        'Why there is no answer. `timeout`: none in time; `unreachable`: no connection, or an address that is not public; `status`: not a 200; `too_large`: over 64 KiB; `malformed`: not the answer’s shape; `busy`: too many questions under way; `circuit_open`: not asked after repeated failures; `secret_unreadable`: the secret was sealed under another key.',
      examples: [null],
    }),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'The failure in words, or null.', examples: [null] }),
    action: z.enum(['applied', 'continued', 'refused']).meta({
      description:
        '`applied`: the answer counts; `continued` and `refused`: there was none, and the hook’s `onFailure` says so.',
      examples: ['applied'],
    }),
  })
  .meta({ id: 'OrderHook', description: 'Questions to the merchant’s server for an order, and its answers.' })
export type OrderHook = z.infer<typeof orderHook>

/** The last answers of a hook. */
export const hookAnswerLog = z
  .object({
    storeId: idOf('store', 'The store.'),
    kind: hookKind.meta(meaning.kind),
    answers: z.array(orderHook).meta({ description: 'The answers and failures, newest first.' }),
  })
  .meta({ id: 'HookAnswers', description: 'The last answers of a hook.' })

/** An example for orders. */
export const orderHookExample: OrderHook = {
  id: 'q_3q8Zb1kV0pR7sT2uW9xYaB0cDfGhJkLmNpQrStUvWxY',
  kind: 'risk',
  askedAt: '2026-11-20T09:30:00.000Z',
  tookMs: 84,
  answer: { decision: 'allow' },
  failure: null,
  detail: null,
  action: 'applied',
}
