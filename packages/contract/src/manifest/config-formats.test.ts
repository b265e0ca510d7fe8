import { expect, test } from 'vitest'
import { configFormats } from './config-formats.ts'

const fitting: Readonly<Record<string, readonly unknown[]>> = {
  color: ['#123', '#1234', '#A1b2C3', '#A1b2C3dd', 'rgb(34 68 102 / 50%)', 'hsla(120, 50%, 50%, .5)', 'transparent'],
  image: ['https://shop.example/tote.png', '/images/tote.png', 'tote.png', 'data:image/png;base64,AAAA', ''],
  uri: ['https://shop.example/', 'mailto:ada@example.com'],
  url: ['https://shop.example/', 'HTTP://shop.example'],
  locale: ['en', 'pt-BR'],
  currency: ['EUR', 'JPY'],
  country: ['DE', '276'],
  variant: ['', 'variant_3q8Zb1kV0pR7sT2uW9xYaB', 'tote'],
  translation: [{ en: 'Buy now' }, { en: 'Buy now', 'pt-BR': 'Comprar' }],
}
const strange: Readonly<Record<string, readonly unknown[]>> = {
  color: ['', '#12', '#12345', 'reddish', 'red; background: url(x)', 'rgb(1 2 3); x', 1],
  image: ['javascript:alert(1)', '//shop.example/tote.png', 'a b.png', 'data:text/html,x', '..\\tote.png'],
  uri: ['shop.example', '/path'],
  url: ['ftp://shop.example', 'https://', 'javascript:alert(1)'],
  locale: ['', 'english', 'e'],
  currency: ['eur', 'ABC'],
  country: ['de', 'XX'],
  variant: ['a b', 'x'.repeat(65), 1],
  translation: [{}, { english: 'Buy now' }, { en: 1 }, ['Buy now'], { en: 'x'.repeat(5_001) }],
}

test.for(Object.entries(configFormats))(
  'the format %s accepts and refuses the right values',
  ([name, { test: fits }]) => {
    expect(fitting[name]?.filter((value) => !fits(value))).toEqual([])
    expect(strange[name]?.filter((value) => fits(value))).toEqual([])
  },
)
