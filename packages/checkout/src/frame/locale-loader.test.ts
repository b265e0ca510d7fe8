import { expect, test } from 'vitest'
import { en, type Texts } from '../locales/index.ts'
import { LocaleLoader } from './locale-loader.ts'

const never = (): Promise<void> => new Promise(() => {})

/** A loader whose languages arrive when the test says so. */
function startLoader(patience = never) {
  const loads: { locale: string; arrive: (texts: Texts | null) => void }[] = []
  const spoken: string[] = []
  const load = (locale: string): Promise<Texts | null> => new Promise((arrive) => void loads.push({ locale, arrive }))
  const loader = new LocaleLoader(load, (texts) => void spoken.push(texts.locale), patience)
  const arrive = (index: number): void => loads[index]?.arrive({ ...en, locale: loads[index].locale })
  return { loader, loads, spoken, arrive, fail: (index: number): void => loads[index]?.arrive(null) }
}

test('a language is spoken when its texts are there, and not loaded again', async () => {
  const { loader, loads, spoken, arrive } = startLoader()
  const settled = loader.setLocale('fr-CA')
  expect(spoken).toEqual([])
  arrive(0)
  await settled
  await loader.setLocale('fr')
  expect(spoken).toEqual(['fr'])
  expect(loads).toHaveLength(1)
})

test('English is spoken from the beginning', async () => {
  const { loader, loads } = startLoader()
  await loader.setLocale('en-GB')
  expect(loads).toHaveLength(0)
})

test('after the patience is over the form goes on, and the language follows', async () => {
  const { loader, spoken, arrive } = startLoader(() => Promise.resolve())
  await loader.setLocale('ja')
  expect(spoken).toEqual([])
  arrive(0)
  await Promise.resolve()
  expect(spoken).toEqual(['ja'])
})

test('the language that was asked for last wins, whichever comes first', async () => {
  const { loader, spoken, arrive } = startLoader()
  const first = loader.setLocale('fr')
  const second = loader.setLocale('de')
  arrive(1)
  await second
  arrive(0)
  await first
  expect(spoken).toEqual(['de'])
})

test('going back to what is spoken gives up what is on its way', async () => {
  const { loader, loads, spoken, arrive } = startLoader()
  const french = loader.setLocale('fr')
  const english = loader.setLocale('en')
  arrive(1)
  arrive(0)
  await Promise.all([french, english])
  expect(loads.map(({ locale }) => locale)).toEqual(['fr', 'en'])
  expect(spoken).toEqual(['en'])
})

test('a language that cannot be had leaves the one before it, and may be asked for again', async () => {
  const { loader, loads, spoken, arrive, fail } = startLoader()
  const german = loader.setLocale('de')
  arrive(0)
  await german
  const french = loader.setLocale('fr')
  fail(1)
  await french
  expect(spoken).toEqual(['de'])
  const again = loader.setLocale('fr')
  arrive(2)
  await again
  expect(spoken).toEqual(['de', 'fr'])
  expect(loads).toHaveLength(3)
})
