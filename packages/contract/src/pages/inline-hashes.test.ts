import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { inlineHashes } from './inline-hashes.ts'

test('the policy allows the document’s scripts and styles by the hashes that browsers compute', () => {
  const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const html = `<script>one()\r\n</script><script src="x.js"></script><SCRIPT type=module data-a="a>b">two()</SCRIPT >
    <script type="application/json">{}</script><script type="importmap">{"imports":{}}</script><style>a{}</style>
    <script>one()\n</script>`
  expect(inlineHashes(html)).toEqual({
    scripts: [source('one()\n'), source('two()'), source('{"imports":{}}')],
    styles: [source('a{}')],
  })
})

test('a document of unclosed scripts is read in one pass', () => {
  expect(inlineHashes('<script>'.repeat(200_000))).toEqual({ scripts: [], styles: [] })
})
