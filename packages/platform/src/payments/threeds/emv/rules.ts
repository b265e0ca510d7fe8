import type { Facts, Rule } from './field.ts'

/** When the fields of the tables are required. Source: EMV 3DS 2.2.0, the conditions of inclusion. */

const is =
  (name: string, ...values: readonly unknown[]): Rule =>
  ({ message }) =>
    values.includes(message[name])
const has =
  (name: string): Rule =>
  ({ message }) =>
    message[name] !== undefined

/** A payment. */
export const payment: Rule = ({ category }) => category === 'PA'

/** One of a series of payments, or paid in parts: also when nothing is paid yet. */
export const series: Rule = is('threeDSRequestorAuthenticationInd', '02', '03')
export const instalments: Rule = is('threeDSRequestorAuthenticationInd', '03')

/** Something is being bought, or will be again and again. Version 2.1.0 knows no payments without the buyer. */
export const purchase: Rule = (facts: Facts) => {
  if (facts.channel === '3RI') return facts.version !== '2.1.0' && payment(facts)
  return payment(facts) || series(facts)
}

/** A browser that runs scripts, and so can tell more of itself. */
export const scriptedBrowser: Rule = is('browserJavascriptEnabled', true)

export const billedInState: Rule = has('billAddrState')
export const shippedToState: Rule = has('shipAddrState')
export const tokenised: Rule = is('payTokenInd', true)
export const decouplingAsked: Rule = is('threeDSRequestorDecReqInd', 'Y')
export const listed: Rule = has('whiteListStatus')

/** The server sends what the SDK has encrypted; the directory passes on what was in it. */
export const deviceNotTold: Rule = ({ message }) => message['deviceInfo'] === undefined

export const challenge: Rule = is('transStatus', 'C')
/** The issuer asks the buyer something, in the page or elsewhere. */
export const interaction: Rule = is('transStatus', 'C', 'D')
export const decoupled: Rule = is('transStatus', 'D')

/** An authentication, or the attempt at one, of a payment: it has a proof. */
export const proven: Rule = (facts) => payment(facts) && is('transStatus', 'Y', 'A')(facts)
/** A refusal of a payment: it has a reason. */
export const unproven: Rule = (facts) => payment(facts) && is('transStatus', 'N', 'U', 'R')(facts)

/** A message of the app's flow, which names its SDK. */
export const fromApp: Rule = has('sdkTransID')
export const notFromApp: Rule = (facts) => !fromApp(facts)
