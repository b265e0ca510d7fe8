import type { Payment, TestCardPreset } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { factsOf, newAuthorisation, numbered, proof } from '../../test/processors/new-authorisation.ts'
import { presetCard, previewDriver } from './processors.ts'

/** An authorization of a preview with a preset, whose buyer has typed a card that is declined in test mode. */
function previewed(testCardPreset: TestCardPreset | null, change: Parameters<typeof newAuthorisation>[0] = {}) {
  const authorisation = newAuthorisation(change)
  const preview = { testCardPreset } as NonNullable<Payment['preview']> // all that is looked at
  const card = presetCard(preview, numbered('4000000000000002', '123'))
  return { ...authorisation, method: { type: 'card', card, network: null } } as const
}

test.for([
  ['network1_success', { outcome: 'succeeded' }],
  ['network2_success', { outcome: 'succeeded' }],
  ['network3_success', { outcome: 'succeeded' }],
  ['network1_declined', { outcome: 'declined', declineCode: 'generic_decline' }],
  ['network1_insufficient', { outcome: 'declined', declineCode: 'insufficient_funds' }],
  ['network1_3ds', { outcome: 'threeds_required' }],
] as const)('the preset %s decides whatever card was typed', async ([preset, outcome]) => {
  expect(await previewDriver.authorise(previewed(preset))).toMatchObject(outcome)
})

test('with a proof of 3-D Secure the card that needs one is charged, and money that is left for later is set aside', async () => {
  expect(await previewDriver.authorise(previewed('network1_3ds', { threeds: proof }))).toMatchObject({
    outcome: 'succeeded',
  })
  const later = previewed('network1_success', { capture: 'later' })
  expect(await previewDriver.authorise(later)).toMatchObject({ outcome: 'authorized' })
})

test('nothing is kept: what follows succeeds, and an attempt that is asked for never arrived', async () => {
  const authorised = await previewDriver.authorise(previewed('network1_success'))
  const reference = 'reference' in authorised ? (authorised.reference ?? '') : ''
  expect(await previewDriver.refund({ id: 're_1', reference, amount: 1, currency: 'USD' })).toEqual({
    outcome: 'succeeded',
    reference: 'preview_re_1',
  })
  expect(await previewDriver.query(factsOf(newAuthorisation()))).toEqual({ outcome: 'not_found' })
})
