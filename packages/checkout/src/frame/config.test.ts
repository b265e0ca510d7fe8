import { expect, test } from 'vitest'
import { readFrameConfig } from './config.ts'

test('a document that the vault has not filled in stays silent', () => {
  expect(() => readFrameConfig('{{frame}}')).toThrow(SyntaxError)
})
