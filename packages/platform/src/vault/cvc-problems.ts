import type { ErrorIssue } from '@tillwright/contract'
import { brandRules, type Brand } from './brand.ts'

/** What is wrong with a security code, by the rules of its card's brand. */
export function cvcProblems(cvc: string, brand: Brand): ErrorIssue[] {
  const { cvcLengths } = brandRules[brand]
  if (/^\d*$/.test(cvc) && cvcLengths.includes(cvc.length)) return []
  const message = cvcLengths.includes(0)
    ? 'Payments over this network take no security code; leave it empty.'
    : `The security code must have ${cvcLengths.join(' or ')} digits.`
  return [{ path: 'cvc', code: 'parameter_invalid', message }]
}
