import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AppearanceVariable } from '../wire/index.ts'
import { variableRules } from './appearance.ts'

test.each<[AppearanceVariable, string]>([
  ['colorPrimary', '#0a7'],
  ['colorPrimary', '#00AA77cc'],
  ['colorText', 'rgb(1, 2, 3)'],
  ['colorText', 'rgba(1,2,3,.5)'],
  ['colorMuted', 'rgb(10% 20% 30% / 50%)'],
  ['colorDanger', 'hsl(120deg 50% 50%)'],
  ['colorDanger', 'hsla(120.5, 50%, 50%, 0.25)'],
  ['colorField', 'transparent'],
  ['colorField', 'White'],
  ['colorBorder', 'light-dark(#fff, rgb(1, 2, 3))'],
  ['fontFamily', '-apple-system, "Segoe UI", \'Helvetica Neue\', Avenir Next, sans-serif'],
  ['fontSize', '1.125rem'],
  ['fontSize', '16px'],
  ['fontWeight', '550'],
  ['lineHeight', '1.25'],
  ['labelFontSize', '.875em'],
  ['borderWidth', '1.5px'],
])('%s takes %s', (name, value) => {
  expect(variableRules[name].read(value)).toBe(value)
})

test('a length of nothing needs no unit, and the style of the icon becomes a filter', () => {
  expect(variableRules.borderRadius.read('0')).toBe('0px')
  expect(variableRules.iconStyle.read('mono')).toBe('grayscale(1)')
})

test.each<[AppearanceVariable, string]>([
  ['colorPrimary', ''],
  ['colorPrimary', 'pink'],
  ['colorPrimary', '#12345'],
  ['colorPrimary', 'inherit'],
  ['colorPrimary', 'url(https://thief.example/)'],
  ['colorPrimary', 'var(--color-text)'],
  ['colorPrimary', 'env(safe-area-inset-top)'],
  ['colorPrimary', 'attr(value)'],
  ['colorPrimary', 'rgb(1, 2, var(--x))'],
  ['colorPrimary', 'rgb(1 2 3, 4)'],
  ['colorPrimary', 'rgb(1, 2%, 3)'],
  ['colorPrimary', 'red;background:blue'],
  ['colorPrimary', 'red}*{display:none'],
  ['colorPrimary', 'red/**/'],
  ['colorPrimary', 'r\\65 d'],
  ['colorPrimary', 'red !important'],
  ['colorPrimary', 'red\n'],
  ['colorBorder', 'light-dark(light-dark(red, red), red)'],
  ['fontFamily', 'inherit'],
  ['fontFamily', '"Arial'],
  ['fontFamily', '"Ar\\"ial"'],
  ['fontFamily', 'Arial; color: red'],
  ['fontFamily', 'Press Start 2P'],
  ['fontFamily', Array.from({ length: 17 }, () => 'Arial').join(',')],
  ['fontSize', '11px'],
  ['fontSize', '99em'],
  ['fontSize', '-16px'],
  ['fontSize', '16'],
  ['fontSize', '50%'],
  ['fontSize', 'calc(1px + 100vw)'],
  ['fontWeight', 'bold'],
  ['fontWeight', '1000'],
  ['lineHeight', '0.5'],
  ['focusWidth', '0'],
  ['iconStyle', 'url(#filter)'],
  ['iconStyle', 'constructor'],
])('%s does not take %j', (name, value) => {
  expect(variableRules[name].read(value)).toBeNull()
})

test('no rule lets through what could end a declaration, hold an escape or refer to something else', () => {
  const wholes = ['red', '#fff', 'rgb(1, 2, 3)', 'light-dark(red, #000)', '1px', '400', '"Segoe UI", serif', 'mono']
  const attacks = [';', '}', '{', '\\', '/*', '!', '"', "'", '(', ')', '<', ':', '@', '\n', '\0', 'url(x)', 'var(--x)']
  // Valid values with an attack inside, before or after them.
  const texts = fc
    .tuple(fc.constantFrom(...wholes), fc.oneof(fc.constantFrom(...attacks), fc.string({ maxLength: 3 })), fc.nat(30))
    .map(([whole, attack, at]) => whole.slice(0, at) + attack + whole.slice(at))
  const rules = fc.constantFrom(...Object.values(variableRules))
  fc.assert(
    fc.property(rules, texts, ({ read }, text) => {
      const value = read(text) ?? ''
      const functions = value.match(/[^ ,(]*\(/g) ?? []
      const isClosed = ['"', "'"].every((quote) => value.split(quote).length % 2 === 1)
      const isKnown = functions.every((name) => /^(?:rgba?|hsla?|light-dark|grayscale)\($/i.test(name))
      return isClosed && isKnown && !/[;{}\\!@<>:\n\0]|\/\*/.test(value)
    }),
    { numRuns: 2_000 },
  )
})

test('hostile texts as long as a message may be are judged at once', () => {
  const texts = [
    '1'.repeat(8_192),
    `rgb(${' '.repeat(8_000)}`,
    'a '.repeat(4_000),
    '"a",'.repeat(2_000),
    'a-'.repeat(4_000),
  ]
  const before = process.threadCpuUsage() // not the clock: other programs may have the machine for seconds
  for (const { read } of Object.values(variableRules)) {
    for (const text of texts) expect(read(text)).toBeNull()
  }
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(500)
})
