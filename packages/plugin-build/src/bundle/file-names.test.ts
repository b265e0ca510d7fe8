import { assetPath } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bundleOptions, folderWithPackages } from '../../test/bundled-plugin.ts'
import { bundlePlugin, isGoodPath } from './bundler.ts'

test.for(['a.txt', '.well-known/apple-pay', 'ä/日本 1.png', 'assets/a-b_c(1)@2x.png'])(
  '"%s" is a valid name',
  (path) => {
    expect([isGoodPath(path), assetPath.safeParse(path).success]).toEqual([true, true])
  },
)

test('every valid name is accepted by the API', () => {
  const pieces = fc.constantFrom(
    'a',
    '.',
    '..',
    '/',
    ' ',
    '\\',
    '%2e',
    '%',
    '#',
    'con',
    'NUL',
    'lpt1',
    '.js',
    ':',
    '\u0001',
    'é',
    '日',
  )
  const paths = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(paths, (path) => !isGoodPath(path) || assetPath.safeParse(path).success),
    { numRuns: 2_000 },
  )
})

test('invalid and duplicate names of public files are problems', async () => {
  const { files, problems } = await bundlePlugin(
    bundleOptions(
      await folderWithPackages({
        'src/pages/pay.tsx': 'document.title = ""',
        'public/a#b.txt': '',
        'public/pages/PAY.html': '',
      }),
    ),
  )
  expect(files).toEqual([])
  expect(problems).toMatchObject([
    { code: 'file-name', file: 'public/a#b.txt' },
    { code: 'same-name', file: 'public/pages/PAY.html', rule: 'Two files would be deployed as "pages/PAY.html".' },
  ])
})
