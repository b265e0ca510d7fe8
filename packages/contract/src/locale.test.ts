import { expect, test } from 'vitest'
import { locale } from './text.ts'

test.for([
  ['en', 'en'],
  ['en-us', 'en-US'],
  ['ZH-hant-tw', 'zh-Hant-TW'],
  ['de-DE-u-co-phonebk', 'de-DE-u-co-phonebk'],
] as const)('%s is a language tag, normalized to %s', ([sent, read]) => {
  expect(locale.parse(sent)).toBe(read)
})

test.for(['', 'e', 'en_US', 'english language', 'en-', '-en', 'de-DE-DE', 'ü', 'en\n', 'x'.repeat(65)])(
  '%j is not a language tag',
  (sent) => {
    const { error } = locale.safeParse(sent)
    expect(error?.issues[0]?.path).toEqual([])
  },
)
