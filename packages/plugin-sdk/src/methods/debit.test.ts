import { ibanFault, plainIban } from '@tillwright/contract/iban'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDebit, debitMethod, groupedIban } from './debit.ts'

const ada = { iban: ' de89 3704 0044 0532 0130 00', holderName: ' Ada Byrne ', mandateAccepted: true }

test('a debit without a fault is what the platform is sent', () => {
  expect(checkDebit(ada)).toEqual({})
  expect(debitMethod(ada)).toEqual({
    type: 'sepa_debit',
    iban: 'DE89370400440532013000',
    holderName: 'Ada Byrne',
    mandateAccepted: true,
  })
  expect(groupedIban('de89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00')
})

test('each field that is empty is named', () => {
  expect(checkDebit({ iban: ' ', holderName: '', mandateAccepted: false })).toEqual({
    iban: 'missing',
    holderName: 'missing',
    mandateAccepted: 'missing',
  })
})

test('an IBAN is taken or refused as by the platform', () => {
  const known = fc.constantFrom('DE89370400440532013000', 'MT84MALT011000012345MTLCAST001S', 'NO9386011117947')
  const wrong = fc
    .tuple(known, fc.nat(40), fc.constantFrom('0', '7', 'A', '!', ''))
    .map(([iban, place, other]) => iban.slice(0, place) + other + iban.slice(place + 1))
  fc.assert(
    fc.property(fc.oneof(known, wrong), (iban) => {
      expect(checkDebit({ ...ada, iban }).iban ?? null).toBe(ibanFault(plainIban(iban)))
    }),
  )
})
