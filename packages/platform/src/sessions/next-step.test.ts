import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryStep, firstStep, mustPayFirst, nextStep, wayTo } from './next-step.ts'

const plain = { path: '/step', isEntry: false, pluginId: null, pageId: null, settings: {}, previewOnly: false }
const step = (id: string, type: string, change: { previewOnly?: boolean; isEntry?: boolean } = {}) => {
  return { ...plain, id, type, name: id, ...change }
}
const place = (currentStepId: string, paid: string[] = [], environment: 'staging' | 'production' = 'production') => ({
  currentStepId,
  environment,
  paidAt: new Set(paid),
})

test('steps follow in their order, those for previews in previews alone', () => {
  const steps = [step('a', 'landing'), step('b', 'custom', { previewOnly: true }), step('c', 'checkout')]
  expect(nextStep({ steps }, place('a'))?.id).toBe('c')
  expect(nextStep({ steps }, place('a', [], 'staging'))?.id).toBe('b')
  expect(nextStep({ steps }, place('c'))).toBeNull()
})

test('a downsell is shown to a buyer who did not buy what was offered before it', () => {
  const steps = [step('up', 'upsell'), step('down', 'downsell'), step('end', 'thank_you')]
  expect(nextStep({ steps }, place('up', ['elsewhere']))?.id).toBe('down')
  expect(nextStep({ steps }, place('up', ['up']))?.id).toBe('end')
})

test('a checkout alone is left by payers only', () => {
  expect(mustPayFirst({ type: 'checkout' }, { paidAt: new Set() })).toBe(true)
  expect(mustPayFirst({ type: 'checkout' }, { paidAt: new Set(['any']) })).toBe(false)
  expect(mustPayFirst({ type: 'upsell' }, { paidAt: new Set() })).toBe(false)
})

test('buyers begin at the entry, or behind it where it is for previews', () => {
  const entry = step('b', 'landing', { isEntry: true })
  expect(firstStep({ steps: [step('a', 'landing'), entry] })?.id).toBe('b')
  expect(firstStep({ steps: [{ ...entry, previewOnly: true }, step('c', 'checkout')] })?.id).toBe('c')
  expect(firstStep({ steps: [{ ...entry, previewOnly: true }] })).toBeNull()
})

test('a buyer who opened the page of a step begins there, unless a checkout comes before it or it is for previews', () => {
  const steps = [
    step('a', 'landing'),
    step('b', 'custom', { previewOnly: true }),
    step('c', 'checkout'),
    step('d', 'upsell'),
  ]
  expect(['a', 'b', 'c', 'd'].map((id) => entryStep({ steps }, id)?.id)).toEqual(['a', 'a', 'c', 'a'])
})

test('a buyer goes to where they have been, and no further', () => {
  const steps = [
    step('a', 'landing'),
    step('b', 'custom', { previewOnly: true }),
    step('c', 'custom'),
    step('d', 'custom'),
  ]
  const buyer = { ...place('a'), furthestStepId: 'c' }
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => wayTo({ steps }, id, buyer))).toEqual([
    'open',
    'unknown',
    'open',
    'not_reached',
    'unknown',
  ])
})

test('an offer that was left is closed once something was paid at it or behind it', () => {
  const steps = [step('up', 'upsell'), step('down', 'downsell'), step('end', 'thank_you')]
  const buyer = (paid: string[]) => ({ ...place('end', paid), furthestStepId: 'end' })
  expect(wayTo({ steps }, 'up', buyer(['before']))).toBe('open')
  expect(wayTo({ steps }, 'up', buyer(['up']))).toBe('closed')
  expect(wayTo({ steps }, 'up', buyer(['down']))).toBe('closed')
  expect(wayTo({ steps }, 'down', buyer(['up']))).toBe('open')
})

test('a preview of the staging environment goes anywhere', () => {
  const steps = [step('a', 'offer'), step('b', 'custom', { previewOnly: true }), step('c', 'checkout')]
  const preview = { ...place('a', ['a', 'c'], 'staging'), furthestStepId: 'a' }
  expect(['a', 'b', 'c', 'd'].map((id) => wayTo({ steps }, id, preview))).toEqual(['open', 'open', 'open', 'unknown'])
})

test('whatever was bought, the way goes forward and comes to an end', () => {
  const types = fc.constantFrom('landing', 'checkout', 'upsell', 'downsell', 'thank_you')
  const anySteps = fc.array(fc.tuple(types, fc.boolean()), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(
      anySteps,
      fc.array(fc.nat(11)),
      fc.constantFrom('staging', 'production'),
      (shapes, paid, environment) => {
        const steps = shapes.map(([type, previewOnly], index) => step(`s${index}`, type, { previewOnly }))
        const paidAt = paid.map((index) => `s${index}`)
        let at = 0
        for (let walked = 0; walked <= steps.length; walked++) {
          const next = nextStep({ steps }, place(`s${at}`, paidAt, environment))
          if (next === null) return
          const index = steps.findIndex(({ id }) => id === next.id)
          expect(index).toBeGreaterThan(at)
          expect(environment === 'staging' || !next.previewOnly).toBe(true)
          at = index
        }
        expect.fail('the way has no end')
      },
    ),
  )
})
