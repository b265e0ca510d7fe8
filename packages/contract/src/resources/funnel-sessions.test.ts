import { expect, test } from 'vitest'
import { newPreviewSession } from './funnel-sessions.ts'

const preview = { storeId: 'store_1', stepId: 'step_1' }

test('a preview needs a store and a step, and its environment defaults to staging', () => {
  expect(newPreviewSession.parse(preview)).toEqual({ ...preview, environment: 'staging', enableSticky: false })
})

test('presets are accepted by their own name and by network name', () => {
  const read = (sent: string) => newPreviewSession.parse({ ...preview, testCardPreset: sent }).testCardPreset
  for (const preset of ['network2_success', 'network3_success', 'network1_insufficient', 'network1_3ds']) {
    expect(read(preset)).toBe(preset)
  }
  expect(read('visa_success')).toBe('network1_success')
  expect(read('visa_declined')).toBe('network1_declined')
  expect(read('visa_insufficient')).toBe('network1_insufficient')
  expect(read('visa_3ds')).toBe('network1_3ds')
  expect(read('mastercard_success')).toBe('network2_success')
  expect(read('amex_success')).toBe('network3_success')
})

test('countries are normalized to upper case, locales to their canonical spelling', () => {
  const read = newPreviewSession.parse({ ...preview, previewShippingCountry: 'de', locale: 'PT-br' })
  expect(read).toMatchObject({ previewShippingCountry: 'DE', locale: 'pt-BR' })
})

test('any two characters are a country, as the reference has it', () => {
  const read = (sent: string) =>
    newPreviewSession.parse({ ...preview, previewShippingCountry: sent }).previewShippingCountry
  for (const sent of ['XX', '49', '--', 'ßŉ', '日本']) expect(read(sent)).toBe(sent)
  expect(read('xX')).toBe('XX')
})

test.for([
  ['no step', { stepId: undefined }, 'stepId'],
  ['no store', { storeId: undefined }, 'storeId'],
  ['an unknown environment', { environment: 'local' }, 'environment'],
  ['a preset of an unknown network', { testCardPreset: 'network2_declined' }, 'testCardPreset'],
  ['a preset of an unknown brand', { testCardPreset: 'mastercard_declined' }, 'testCardPreset'],
  ['a country of one letter', { previewShippingCountry: 'D' }, 'previewShippingCountry'],
  ['a country of three letters', { previewShippingCountry: 'DEU' }, 'previewShippingCountry'],
  ['an unknown currency', { currency: 'ABC' }, 'currency'],
  ['a locale with an underscore', { locale: 'en_US' }, 'locale'],
  ['a list as builder options', { builderOptions: [] }, 'builderOptions'],
  ['text as context data', { contextData: 'x' }, 'contextData'],
] as const)('a preview with %s is refused', ([, change, path]) => {
  const { error } = newPreviewSession.safeParse({ ...preview, ...change })
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
})
