import { Ajv } from 'ajv'

/**
 * The request schemas of PayPal, as far as the driver uses them: required fields, types, patterns, lengths. Written
 * after PayPal's OpenAPI documents, Orders API v2 and Payments API v2
 * (github.com/paypal/paypal-rest-api-specifications, ec4d8f3, 2024-02-03).
 */
const money = {
  type: 'object',
  required: ['currency_code', 'value'],
  additionalProperties: false,
  properties: {
    currency_code: { type: 'string', minLength: 3, maxLength: 3 },
    value: { type: 'string', maxLength: 32, pattern: '^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$' },
  },
}
const text = (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength })

const order = {
  type: 'object',
  required: ['intent', 'purchase_units'],
  additionalProperties: false,
  properties: {
    intent: { enum: ['CAPTURE', 'AUTHORIZE'] },
    purchase_units: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: {
        type: 'object',
        required: ['amount'],
        additionalProperties: false,
        properties: {
          amount: money,
          custom_id: text(1, 127),
          invoice_id: text(1, 127),
          description: text(1, 127),
          soft_descriptor: text(1, 22),
        },
      },
    },
    payment_source: {
      type: 'object',
      required: ['paypal'],
      additionalProperties: false,
      properties: {
        paypal: {
          type: 'object',
          additionalProperties: false,
          properties: {
            email_address: text(3, 254),
            experience_context: {
              type: 'object',
              additionalProperties: false,
              properties: {
                return_url: { type: 'string', pattern: '^https?://' },
                cancel_url: { type: 'string', pattern: '^https?://' },
                user_action: { enum: ['CONTINUE', 'PAY_NOW'] },
                shipping_preference: { enum: ['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'] },
                payment_method_preference: { enum: ['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED'] },
              },
            },
          },
        },
      },
    },
  },
}

const capture = {
  type: 'object',
  additionalProperties: false,
  properties: { amount: money, invoice_id: text(1, 127), final_capture: { type: 'boolean' } },
}
const refund = {
  type: 'object',
  additionalProperties: false,
  properties: { amount: money, custom_id: text(1, 127), invoice_id: text(1, 127) },
}

const ajv = new Ajv({ allErrors: true })
const shapes: readonly [path: RegExp, schema: object][] = [
  [/^\/v2\/checkout\/orders$/, order],
  [/^\/v2\/checkout\/orders\/[^/]+\/(?:capture|authorize)$/, { type: 'null' }],
  [/^\/v2\/payments\/authorizations\/[^/]+\/capture$/, capture],
  [/^\/v2\/payments\/authorizations\/[^/]+\/void$/, { type: 'null' }],
  [/^\/v2\/payments\/captures\/[^/]+\/refund$/, refund],
]
const validators = shapes.map(([path, schema]) => [path, ajv.compile(schema)] as const)

/** Validates a POST request. Returns the first violation, or `null`. */
export function paypalProblem(path: string, body: unknown): string | null {
  const validate = validators.find(([pattern]) => pattern.test(path))?.[1]
  if (validate === undefined) return `PayPal has no ${path}.`
  return validate(body) ? null : ajv.errorsText(validate.errors)
}
