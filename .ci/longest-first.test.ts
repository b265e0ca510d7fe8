import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longest } from './longest-first.ts'
import { root } from './spawn-program.ts'

test('every file that begins early is there', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
