import { Ajv } from 'ajv'
import type { OnFile } from './adyen-cards.ts'

/**
 * The request schemas of Adyen, as far as the driver uses them: required fields, types, enums, lengths. Written after
 * Adyen's OpenAPI documents, Checkout API v72 (github.com/Adyen/adyen-openapi, aa014f0, 2026-07-01). No other field is
 * allowed, so that a misspelt one is found.
 */
const amount = {
  type: 'object',
  required: ['currency', 'value'],
  additionalProperties: false,
  properties: { currency: { type: 'string', minLength: 3, maxLength: 3 }, value: { type: 'integer' } },
}
const text = (maxLength?: number) => ({ type: 'string', ...(maxLength !== undefined && { maxLength }) })

const card = {
  type: 'object',
  required: ['type', 'number', 'expiryMonth', 'expiryYear'],
  additionalProperties: false,
  properties: {
    type: { enum: ['scheme', 'networkToken'] },
    number: { type: 'string', pattern: '^[0-9]{12,19}$' },
    expiryMonth: { type: 'string', pattern: '^[0-9]{2}$' },
    expiryYear: { type: 'string', pattern: '^[0-9]{4}$' },
    cvc: { type: 'string', pattern: '^[0-9]{3,4}$' },
    holderName: text(15_000),
    brand: text(),
    networkPaymentReference: text(),
  },
}
const ideal = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: { type: { enum: ['ideal'] } },
}
const sepa = {
  type: 'object',
  required: ['type', 'iban', 'ownerName'],
  additionalProperties: false,
  properties: { type: { enum: ['sepadirectdebit'] }, iban: text(), ownerName: text() },
}

const paymentRequest = {
  type: 'object',
  required: ['amount', 'merchantAccount', 'paymentMethod', 'reference', 'returnUrl'],
  additionalProperties: false,
  properties: {
    amount,
    merchantAccount: text(),
    reference: text(80),
    merchantOrderReference: text(1_000),
    returnUrl: text(1_024),
    paymentMethod: { oneOf: [card, ideal, sepa] },
    countryCode: text(100),
    captureDelayHours: { type: 'integer' },
    shopperStatement: { ...text(10_000), pattern: "^[a-zA-Z0-9 .,'_?+*/-]+$" },
    shopperEmail: text(256),
    shopperIP: text(50),
    shopperInteraction: { enum: ['Ecommerce', 'ContAuth', 'Moto', 'POS'] },
    recurringProcessingModel: { enum: ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'] },
    shopperReference: { ...text(), minLength: 3 },
    shopperName: {
      type: 'object',
      required: ['firstName', 'lastName'],
      additionalProperties: false,
      properties: { firstName: text(80), lastName: text(80) },
    },
    billingAddress: {
      type: 'object',
      required: ['city', 'country', 'houseNumberOrName', 'postalCode', 'street'],
      additionalProperties: false,
      properties: {
        city: text(3_000),
        country: text(),
        houseNumberOrName: text(3_000),
        postalCode: text(10),
        stateOrProvince: text(3),
        street: text(3_000),
      },
    },
    authenticationData: {
      type: 'object',
      additionalProperties: false,
      properties: { attemptAuthentication: { enum: ['always', 'never'] } },
    },
    mpiData: {
      type: 'object',
      additionalProperties: false,
      properties: {
        authenticationResponse: { enum: ['Y', 'N', 'U', 'A'] },
        cavv: text(),
        cavvAlgorithm: text(),
        directoryResponse: { enum: ['A', 'C', 'D', 'I', 'N', 'R', 'U', 'Y'] },
        dsTransID: text(),
        eci: text(),
        riskScore: text(),
        threeDSVersion: text(),
        tokenAuthenticationVerificationValue: text(),
      },
    },
    additionalData: {
      type: 'object',
      additionalProperties: false,
      properties: {
        manualCapture: { enum: ['true'] },
        scaExemption: { enum: ['lowValue', 'secureCorporate', 'trustedBeneficiary', 'transactionRiskAnalysis'] },
      },
    },
  },
}

const paymentDetails = {
  type: 'object',
  required: ['details'],
  additionalProperties: false,
  properties: {
    details: { type: 'object', additionalProperties: false, properties: { redirectResult: text(20_000) } },
  },
}

const modification = (required: readonly string[]) => ({
  type: 'object',
  required: ['merchantAccount', ...required],
  additionalProperties: false,
  properties: { amount, merchantAccount: text(), reference: text(), paymentReference: text() },
})

const paymentMethods = {
  type: 'object',
  required: ['merchantAccount'],
  additionalProperties: false,
  properties: { merchantAccount: text() },
}

const ajv = new Ajv({ allErrors: true })
const shapes: readonly [path: RegExp, schema: object][] = [
  [/^\/v72\/paymentMethods$/, paymentMethods],
  [/^\/v72\/payments$/, paymentRequest],
  [/^\/v72\/payments\/details$/, paymentDetails],
  [/^\/v72\/payments\/[^/]+\/captures$/, modification(['amount'])],
  [/^\/v72\/payments\/[^/]+\/refunds$/, modification(['amount'])],
  [/^\/v72\/payments\/[^/]+\/cancels$/, modification([])],
  [/^\/v72\/cancels$/, modification(['paymentReference'])],
]
const validators = shapes.map(([path, schema]) => [path, ajv.compile(schema)] as const)

/** The body of a payment that has passed its schema. */
export interface PaymentBody {
  amount: { value: number; currency: string }
  reference: string
  captureDelayHours?: number
  paymentMethod: OnFile & { type: string; cvc?: string }
  mpiData?: { cavv?: string; dsTransID?: string; tokenAuthenticationVerificationValue?: string }
  additionalData?: { manualCapture?: string; scaExemption?: string }
  shopperInteraction?: string
  recurringProcessingModel?: string
}

/** The body of a capture, a refund or a void that has passed it. */
export interface ModificationBody {
  amount?: { value: number; currency: string }
  reference?: string
  paymentReference?: string
}

/** Validates a request. Returns the first violation, or `null`. */
export function adyenProblem(path: string, body: unknown): string | null {
  const validate = validators.find(([pattern]) => pattern.test(path))?.[1]
  if (validate === undefined) return `Adyen has no ${path}.`
  return validate(body) ? null : ajv.errorsText(validate.errors)
}
