import type { Checkout as WholeCheckout } from '@tillwright/checkout'
import { type CallOf, contract, type Contract, type BuyerSession as ContractSession } from '@tillwright/contract'
import { expect, test } from 'vitest'
import type { pageData } from '../../platform/src/plugins/serve/page.ts'
import type { BuyerSession, SessionPayment, WantedLine } from '../src/api.ts'
import type { Checkout } from '../src/checkout.ts'
import type { Addresses, Contact } from '../src/customer.ts'
import type { PageData } from '../src/page-data.ts'
import type { SessionRequest } from '../src/session/send.ts'

type Session = Contract['session']
type Body<Op extends keyof Session> = CallOf<Session[Op]> extends { body: infer Sent } ? Sent : never
/** Compiles for `true` only. */
function holds<Fact extends true>(fact?: Fact): void {
  expect(fact).toBeUndefined()
}

test("the SDK's types match the platform's responses and requests", () => {
  holds<ContractSession extends BuyerSession ? true : false>()
  holds<NonNullable<ContractSession['payment']> extends SessionPayment ? true : false>()
  holds<Awaited<ReturnType<typeof pageData>> extends PageData ? true : false>()
  holds<{ lines: WantedLine[] } extends Body<'setLines'> ? true : false>()
  holds<Contact extends Body<'setContact'> ? true : false>()
  holds<Addresses extends Body<'setAddress'> ? true : false>()
})

test('the checkout provides what the SDK uses', () => {
  holds<WholeCheckout extends Checkout ? true : false>()
})

test('every request of a session is an operation of the contract, and vice versa', () => {
  const requests: Record<keyof Session, SessionRequest> = {
    begin: 'POST /sessions',
    redeem: 'POST /sessions/redeem',
    get: 'GET /session',
    handOver: 'POST /session/hand-over',
    confirmOrder: 'POST /session/order/confirm',
    setLines: 'PUT /session/order/lines',
    chooseShipping: 'PUT /session/order/shipping',
    addPromotionCode: 'POST /session/promotion-codes',
    removePromotionCode: 'DELETE /session/promotion-codes?code=',
    setContact: 'PUT /session/contact',
    setAddress: 'PUT /session/address',
    findMethods: 'POST /payment-methods',
    findOwnMethods: 'GET /session/payment-methods',
    pay: 'POST /session/pay',
    continuePayment: 'POST /session/payments/{paymentId}/continue',
    next: 'POST /session/next',
    goTo: 'POST /session/go-to',
    track: 'POST /session/events',
  }
  const known = Object.entries(contract.session).map(([name, { method, path }]) => [name, `${method} ${path}`])
  const asked = Object.entries(requests).map(([name, request]) => {
    const [method, path = ''] = request.split(/[ ?]/)
    return [name, `${method} /api/session/v1${path}`]
  })
  expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(known))
})
