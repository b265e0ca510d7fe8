import { expect, test } from 'vitest'
import { Speech } from './speech.ts'
import { en, type Texts } from './texts.ts'

const never = (): Promise<void> => new Promise(() => {})

/** A speech whose languages come when the test says so. */
function startSpeech(patience = never) {
  const loads: { locale: string; arrive: (texts: Texts | null) => void }[] = []
  const spoken: string[] = []
  const load = (locale: string): Promise<Texts | null> => new Promise((arrive) => void loads.push({ locale, arrive }))
  const speech = new Speech(load, (texts) => void spoken.push(texts.locale), patience)
  const arrive = (index: number): void => loads[index]?.arrive({ ...en, locale: loads[index].locale })
  return { speech, loads, spoken, arrive, fail: (index: number): void => loads[index]?.arrive(null) }
}

test('a language is spoken when its texts are there, and not loaded again', async () => {
  const { speech, loads, spoken, arrive } = startSpeech()
  const settled = speech.speak('fr-CA')
  expect(spoken).toEqual([])
  arrive(0)
  await settled
  await speech.speak('fr')
  expect(spoken).toEqual(['fr'])
  expect(loads).toHaveLength(1)
})

test('English is spoken from the beginning', async () => {
  const { speech, loads } = startSpeech()
  await speech.speak('en-GB')
  expect(loads).toHaveLength(0)
})

test('whoever has waited long enough goes on, and the language follows', async () => {
  const { speech, spoken, arrive } = startSpeech(() => Promise.resolve())
  await speech.speak('ja')
  expect(spoken).toEqual([])
  arrive(0)
  await Promise.resolve()
  expect(spoken).toEqual(['ja'])
})

test('the language that was asked for last wins, whichever comes first', async () => {
  const { speech, spoken, arrive } = startSpeech()
  const first = speech.speak('fr')
  const second = speech.speak('de')
  arrive(1)
  await second
  arrive(0)
  await first
  expect(spoken).toEqual(['de'])
})

test('going back to what is spoken gives up what is on its way', async () => {
  const { speech, loads, spoken, arrive } = startSpeech()
  const french = speech.speak('fr')
  const english = speech.speak('en')
  arrive(1)
  arrive(0)
  await Promise.all([french, english])
  expect(loads.map(({ locale }) => locale)).toEqual(['fr', 'en'])
  expect(spoken).toEqual(['en'])
})

test('a language that cannot be had leaves the one before it, and may be asked for again', async () => {
  const { speech, loads, spoken, arrive, fail } = startSpeech()
  const german = speech.speak('de')
  arrive(0)
  await german
  const french = speech.speak('fr')
  fail(1)
  await french
  expect(spoken).toEqual(['de'])
  const again = speech.speak('fr')
  arrive(2)
  await again
  expect(spoken).toEqual(['de', 'fr'])
  expect(loads).toHaveLength(3)
})
