import { expect, test } from 'vitest'
import { problemOfViolation } from './page-problems.ts'

function textOf(directive: string, blocked: string) {
  const { rule, fix } = problemOfViolation({ directive, blocked, stack: '' }, { file: '', line: 1, column: 1 })
  return `${rule} ${fix}`
}

test('an origin that the manifest may name is reported with the manifest key to use, and without its path and query', () => {
  const place = { file: 'src/pay.tsx', line: 4, column: 5 }
  const violation = {
    directive: 'connect-src',
    blocked: 'https://api.reviews.example/of?who=ada',
    stack: '',
  }
  expect(problemOfViolation(violation, place)).toEqual({
    code: 'policy-violation',
    severity: 'error',
    ...place,
    pointer: null,
    rule: 'The policy of the page does not allow https://api.reviews.example/of (connect-src), here as little as when it is published.',
    fix: 'Name its origin in plugin.manifest.json: "security": { "connect": ["https://api.reviews.example"] }.',
  })
  expect(textOf('frame-src', 'https://maps.example')).toContain('"security": { "frame": ["https://maps.example"] }')
  expect(textOf('font-src', 'https://fonts.example/a.woff2')).toContain(
    '"security": { "font": ["https://fonts.example"] }',
  )
})

test.for([
  ['connect-src', 'ws://chat.example/a', 'Use an address with https'],
  ['connect-src', 'blob', 'blob: (connect-src), here as little as when it is published. Do without it.'],
  ['script-src', 'eval', 'eval() (script-src)'],
  ['script-src', 'wasm-eval', 'WebAssembly does not run'],
  ['script-src-attr', 'inline', 'addEventListener()'],
  ['script-src-elem', 'inline', 'what stands in the document itself'],
  ['script-src-elem', 'https://cdn.example/a.js', 'Put the script into the plugin'],
  ['style-src-attr', 'inline', 'a style in an attribute'],
  ['style-src-elem', 'inline', 'Import the style in a module'],
  ['style-src-elem', 'https://cdn.example/a.css', 'Put the style sheet into the plugin'],
  ['worker-src', 'blob', 'new Worker(new URL('],
  ['img-src', 'http://images.example/a.png', 'Take it from an address with https'],
  ['img-src', 'blob', 'Show it from a file of the plugin'],
  ['form-action', 'https://forms.example/', '"security.connect"'],
  ['base-uri', 'https://other.example/', 'Do without it'],
] as const)('%s of %s is told with what to do instead', ([directive, blocked, part]) => {
  expect(textOf(directive, blocked)).toContain(part)
})
