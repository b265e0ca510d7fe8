import { expect, test } from 'vitest'
import { contentTypeOf, isScriptType } from './content-type-of.ts'

test.for([
  ['index.html', 'text/html; charset=utf-8'],
  ['assets/app.4f2a.JS', 'text/javascript; charset=utf-8'],
  ['logo.svg', 'image/svg+xml'],
  ['font.woff2', 'font/woff2'],
  ['archive.tar.gz', 'application/octet-stream'],
  ['LICENSE', 'application/octet-stream'],
  ['folder.js/file', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
])('%s is served as %s', ([path = '', type]) => {
  expect(contentTypeOf(path)).toBe(type)
})

test.for([
  'text/javascript',
  'TEXT/JScript',
  'text/ecmascript;charset=utf-8',
  'application/x-javascript ; q=1',
  'text/livescript',
])('%s is run as a script', (type) => {
  expect(isScriptType(type)).toBe(true)
})

test.for(['text/plain', 'application/json', 'text/javascript1.6', 'application/wasm', 'text/css', ''])(
  '%s is not run as a script',
  (type) => {
    expect(isScriptType(type)).toBe(false)
  },
)
