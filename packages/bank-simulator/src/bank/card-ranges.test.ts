import { expect, test } from 'vitest'
import { checkMessage, MESSAGE_VERSIONS } from '@tillwright/emv-3ds'
import { exchange } from '@tillwright/emv-3ds/vectors'
import { answerPreq, methodUrlOf } from './card-ranges.ts'

const METHOD = 'https://acs.example/method'

test.for(MESSAGE_VERSIONS)('the ranges of the directory are a good answer in %s', (version) => {
  const { preq } = exchange(version)
  const pres = answerPreq(JSON.stringify(preq), METHOD)
  expect(checkMessage(JSON.stringify(pres), { types: ['PRes'], to: preq })).toMatchObject({ outcome: 'valid' })
  expect(pres).toMatchObject({
    messageVersion: version,
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
  })
})

test('a question that is none is answered with an Erro of the directory', () => {
  const { threeDSServerRefNumber: _, ...preq } = exchange().preq
  expect(answerPreq(JSON.stringify(preq), METHOD)).toMatchObject({
    messageType: 'Erro',
    errorCode: '201',
    errorComponent: 'D',
    errorDetail: 'threeDSServerRefNumber',
  })
})

test.for([
  ['4000000000001091', METHOD],
  ['5555555555554444', METHOD],
  ['3530111333300000', METHOD],
  ['340000000002534', null],
  ['6011111111111117', null],
  ['6759649826438453', null],
] as const)('the card %s has the method page %s', ([number, url]) => {
  expect(methodUrlOf(number, METHOD)).toBe(url)
  const listed = answerPreq(JSON.stringify(exchange().preq), METHOD)['cardRangeData']
  const ranges = listed as { startRange: string; endRange: string; threeDSMethodURL?: string }[] // checked above
  const range = ranges.find(({ startRange, endRange }) => {
    return number.length === startRange.length && number >= startRange && number <= endRange
  })
  expect(range?.threeDSMethodURL ?? null).toBe(url)
})
