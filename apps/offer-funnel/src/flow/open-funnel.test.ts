import { expect, test } from 'vitest'
import { isBeyondMeans, whereTo } from './open-funnel.ts'
import { isBefore, pageOf, pageOfStep } from './page-of-step.ts'

const wish = { wanted: 'offer', at: 'checkout', hasBought: false } as const

test('a page of the step that the session is at is shown', () => {
  expect(whereTo({ ...wish, at: 'offer' })).toBe('show')
  expect(whereTo({ ...wish, at: 'offer', hasBought: true })).toBe('show')
})

test('without a funnel every page is shown', () => {
  expect(whereTo({ ...wish, wanted: 'upsell', at: null })).toBe('show')
})

test('before anything is bought the buyer goes back', () => {
  expect(whereTo(wish)).toBe('go')
})

test('after a purchase there is no way back to the page where it was made', () => {
  for (const wanted of ['landing', 'offer', 'checkout'] as const) {
    expect(whereTo({ ...wish, wanted, at: 'upsell', hasBought: true })).toBe('follow')
  }
})

test('an offer that was passed is not shown again, whether anything was bought or not', () => {
  for (const hasBought of [false, true]) {
    expect(whereTo({ ...wish, wanted: 'upsell', at: 'thank-you', hasBought })).toBe('follow')
  }
})

test('a step is shown by the page that it is bound to, else by the one for its type', () => {
  expect(pageOfStep({ pageId: 'downsell', type: 'upsell' })).toBe('downsell')
  expect(pageOfStep({ pageId: null, type: 'thank_you' })).toBe('thank-you')
  expect(pageOf('nothing')).toBe('landing')
})

test('the pages stand in the order in which a buyer meets them', () => {
  expect(isBefore('landing', 'checkout')).toBe(true)
  expect(isBefore('upsell', 'upsell')).toBe(false)
  expect(isBefore('thank-you', 'offer')).toBe(false)
})

test('an offer in one click is passed by who has no card that could pay for it', () => {
  const step = { id: 'step', type: 'upsell', name: 'Cup', path: '/cup' }
  const card = { id: 'card', card: { last4: '4242', brand: 'visa', expYear: 2035, expMonth: 12 } }
  expect(isBeyondMeans({ nextStep: step, paymentInstruments: [] })).toBe(true)
  expect(isBeyondMeans({ nextStep: step, paymentInstruments: [card] })).toBe(false)
  expect(isBeyondMeans({ nextStep: { ...step, type: 'thank_you' }, paymentInstruments: [] })).toBe(false)
  expect(isBeyondMeans({ nextStep: null, paymentInstruments: [] })).toBe(false)
})
