import fc from 'fast-check'
import { injectData } from '@tillwright/contract'
import { expect, test } from 'vitest'

const DATA = '<script type="application/json" id="tillwright-data">{}</script>'

test.for([
  ['<head><title>T</title></head><body>', '<head><title>T</title>#</head><body>'],
  ['<head><!--tillwright-data--><title>T</title></head>', '<head>#<title>T</title></head>'],
  ['<!doctype html><title>T</title>', '<!doctype html>#<title>T</title>'],
  ['<html lang="a>b"><body>x', '<html lang="a>b">#<body>x'],
  ['text', '#text'],
  ['<head><script>"</head>"</script></HEAD >', '<head><script>"</head>"</script>#</HEAD >'],
])('into %s the data goes where a page reads it', ([html, expected]) => {
  expect(injectData(html ?? '', {}, null)).toBe(expected?.replace('#', DATA))
})

test("relative addresses begin at the base path, unless the author's own base says otherwise", () => {
  expect(injectData('<head><link></head>', {}, '/s"hop/')).toBe(`<head><base href="/s&quot;hop/"><link>${DATA}</head>`)
  expect(injectData('<head><base href="x"></head>', {}, '/shop/')).toBe(`<head><base href="x">${DATA}</head>`)
})

test('whatever the data holds, it is one script that nothing runs', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('</script>', '<!--', ']]>', '\u2028'), (value, nasty) => {
      const html = injectData('<head></head>', { value, nasty }, null)
      expect(html.match(/<\/?script/g)).toHaveLength(2)
      const [, json = ''] = /<script[^>]*>(.*)<\/script>/s.exec(html) ?? []
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, nasty })))
      expect(json).not.toMatch(/[<\u2028\u2029]/)
    }),
  )
})

test('a document of scripts without an end is read in one pass', () => {
  const html = '<script>'.repeat(200_000)
  expect(injectData(html, {}, null)).toBe(DATA + html)
})
