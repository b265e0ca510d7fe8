import { checkMessage } from '@tillwright/emv-3ds'
import { browserAreq } from '@tillwright/emv-3ds/vectors'
import { expect, test } from 'vitest'
import type { EmvRequest } from '../emv-request.ts'
import { inVersion, versionFor } from '../message-version.ts'

const request = (wish: string) => ({ ...browserAreq(), threeDSRequestorChallengeInd: wish }) as unknown as EmvRequest // the vector is a whole AReq

test('a request of the version that is spoken stays as it is', () => {
  expect(inVersion(request('09'), '2.2.0')).toEqual(request('09'))
})

test.for(['01', '02', '03', '04', '05', '06', '07', '08', '09', '90'])(
  'an issuer of 2.1.0 can read a request with the wish %s',
  (wish) => {
    const text = JSON.stringify(inVersion(request(wish), '2.1.0'))
    expect(checkMessage(text, { types: ['AReq'] })).toMatchObject({
      outcome: 'valid',
      message: { messageVersion: '2.1.0' },
    })
  },
)

test('an issuer of 2.1.0 is not told that it may ask the buyer elsewhere', () => {
  const elsewhere = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00030' } as const
  expect(inVersion({ ...request('01'), ...elsewhere }, '2.2.0')).toMatchObject(elsewhere)
  const sent = inVersion({ ...request('01'), ...elsewhere }, '2.1.0')
  expect(Object.keys(sent).filter((name) => name.includes('Dec'))).toEqual([])
})

test('a browser of which nothing is known can be described to an issuer of 2.1.0', () => {
  const { browserJavascriptEnabled: _, ...known } = request('01')
  const scripted = ['browserJavaEnabled', 'browserColorDepth', 'browserScreenHeight', 'browserScreenWidth', 'browserTZ']
  const unknown = Object.fromEntries(Object.entries(known).filter(([name]) => !scripted.includes(name)))
  const text = JSON.stringify(inVersion(unknown as unknown as EmvRequest, '2.1.0')) // as it is without scripts
  expect(checkMessage(text, { types: ['AReq'] })).toMatchObject({ outcome: 'valid' })
})

test.for([
  ['2.1.0', ['2.1.0', '2.2.0'], '2.1.0'],
  ['2.2.0', ['2.1.0', '2.2.0'], '2.2.0'],
  ['2.2.0', ['2.1.0'], '2.1.0'],
  [null, ['2.1.0', '2.2.0'], '2.2.0'],
  ['2.1.0', null, '2.1.0'],
  ['2.1.0', [], '2.2.0'],
] as const)('%s is recommended, the issuer speaks %j: the request is %s', ([recommended, spoken, version]) => {
  expect(versionFor(recommended, spoken)).toBe(version)
})
