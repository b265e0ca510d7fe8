import { Ajv } from 'ajv'

/**
 * The request schemas of Checkout.com, as far as the driver uses them: required fields, types, enums, lengths. Written
 * after the OpenAPI document of its payments (github.com/checkout/checkout-api-reference, nas_spec, 2fc946c,
 * 2021-07-20, the last one published), and after its current reference for newer fields: `Unscheduled`, Google Pay's
 * and Apple Pay's tokens without an ECI, tokens without a cryptogram in later payments, and the exemptions that its
 * libraries list.
 */
const text = (maxLength?: number) => ({ type: 'string', ...(maxLength !== undefined && { maxLength }) })
const integer = (minimum: number, maximum?: number) => ({
  type: 'integer',
  minimum,
  ...(maximum !== undefined && { maximum }),
})

const address = {
  type: 'object',
  additionalProperties: false,
  properties: {
    address_line1: text(200),
    address_line2: text(200),
    city: text(50),
    state: text(50),
    zip: text(50),
    country: { type: 'string', minLength: 2, maxLength: 2 },
  },
}

const holder = { stored: { type: 'boolean' }, name: text(), billing_address: address }
const expiry = { expiry_month: integer(1, 12), expiry_year: integer(1_000, 9_999) }

const card = {
  type: 'object',
  required: ['type', 'number', 'expiry_month', 'expiry_year'],
  additionalProperties: false,
  properties: {
    type: { enum: ['card'] },
    number: { type: 'string', pattern: '^[0-9]{12,19}$' },
    ...expiry,
    cvv: { type: 'string', minLength: 3, maxLength: 4 },
    ...holder,
  },
}
const networkToken = {
  type: 'object',
  required: ['type', 'token', 'expiry_month', 'expiry_year', 'token_type'],
  additionalProperties: false,
  properties: {
    type: { enum: ['network_token'] },
    token: { type: 'string', pattern: '^[0-9]{12,19}$' },
    ...expiry,
    token_type: { enum: ['vts', 'mdes', 'applepay', 'googlepay'] },
    cryptogram: text(50),
    eci: text(2),
    ...holder,
  },
}

const paymentRequest = {
  type: 'object',
  required: ['source', 'amount', 'currency', 'reference', 'processing_channel_id'],
  additionalProperties: false,
  properties: {
    source: { oneOf: [card, networkToken] },
    amount: integer(0, 999_999_999),
    currency: { type: 'string', minLength: 3, maxLength: 3 },
    reference: text(50),
    processing_channel_id: { type: 'string', pattern: '^pc_[a-z2-7]{26}$' },
    capture: { type: 'boolean' },
    payment_type: { enum: ['Regular', 'Recurring', 'MOTO', 'Installment', 'Unscheduled'] },
    merchant_initiated: { type: 'boolean' },
    previous_payment_id: text(100),
    customer: { type: 'object', additionalProperties: false, properties: { email: text(), name: text() } },
    payment_ip: text(),
    billing_descriptor: {
      type: 'object',
      required: ['name', 'city'],
      additionalProperties: false,
      properties: { name: text(25), city: { type: 'string', minLength: 1, maxLength: 13 } },
    },
    metadata: { type: 'object' },
    '3ds': {
      type: 'object',
      additionalProperties: false,
      properties: {
        enabled: { type: 'boolean' },
        eci: text(2),
        cryptogram: text(50),
        xid: text(100),
        version: text(10),
        exemption: {
          enum: [
            'low_value',
            'recurring_operation',
            'secure_corporate_payment',
            'transaction_risk_assessment',
            'trusted_listing',
          ],
        },
      },
    },
  },
}

const modification = (properties: object) => ({
  type: 'object',
  additionalProperties: false,
  properties: { amount: integer(0), reference: text(50), ...properties },
})

const ajv = new Ajv({ allErrors: true })
/** Evidence is stored with texts, and submitted without a body. */
const evidence = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: Object.fromEntries(
    [
      'proof_of_delivery_or_service_text',
      'proof_of_delivery_or_service_date_text',
      'invoice_or_receipt_text',
      'refund_or_cancellation_policy_text',
      'additional_evidence_text',
    ].map((name) => [name, text(500)]),
  ),
}

const shapes: readonly [path: RegExp, schema: object][] = [
  [/^\/payments$/, paymentRequest],
  [/^\/payments\/[^/]+\/captures$/, modification({ capture_type: { enum: ['NonFinal', 'Final'] } })],
  [/^\/payments\/[^/]+\/refunds$/, modification({})],
  [/^\/payments\/[^/]+\/voids$/, modification({})],
  [/^\/disputes\/[^/]+\/evidence$/, evidence],
]
const validators = shapes.map(([path, schema]) => [path, ajv.compile(schema)] as const)

/** Validates a request with a body. Returns the first violation, or `null`. */
export function checkoutProblem(path: string, body: unknown): string | null {
  const validate = validators.find(([pattern]) => pattern.test(path))?.[1]
  if (validate === undefined) return `Checkout.com has no ${path}.`
  return validate(body) ? null : ajv.errorsText(validate.errors)
}
