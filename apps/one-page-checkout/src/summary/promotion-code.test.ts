import { expect, test } from 'vitest'
import { explainCode } from './promotion-code.tsx'

const applied = [{ promotionId: 'a', name: 'Summer', code: 'SUMMER', saving: 10, endsAt: null }]
const leftOut = ['ended', 'combination', 'rules'].map((clause) => ({
  promotionId: clause,
  name: clause,
  code: clause,
  clause,
  message: '',
}))

test.for([
  ['summer', 'codeApplied'],
  ['ENDED', 'codeEnded'],
  ['combination', 'codeCombination'],
  ['rules', 'codeLeftOut'],
  ['gone', 'codeLeftOut'],
] as const)('for the code %s the buyer reads %s', ([code, text]) => {
  expect(explainCode(code, { promotions: { applied, leftOut } })).toBe(text)
})
