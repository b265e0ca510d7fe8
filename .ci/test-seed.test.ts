import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { beginFile, nextSeed } from './test-seed.ts'

const here = expect.getState().testPath ?? ''
afterEach(() => {
  vi.unstubAllEnvs()
  beginFile(here)
})

function begin(path: string, seed = 'a'): unknown[] {
  vi.stubEnv('TILLWRIGHT_TEST_SEED', seed)
  beginFile(path)
  return [nextSeed(), nextSeed(), ...fc.sample(fc.nat(), 3)]
}

test('a file draws the same with the same seed, whatever ran before it in its process', () => {
  const first = begin('one.test.ts')
  begin('two.test.ts')
  expect(begin('one.test.ts')).toEqual(first)
})

test('each seed that a file takes is another one, and so is that of another file or run', () => {
  const seeds = [begin('one.test.ts'), begin('two.test.ts'), begin('one.test.ts', 'b')].flatMap(([a, b]) => [a, b])
  expect(new Set(seeds).size).toBe(6)
})

test('the run has a seed, which processes that tests start inherit', () => {
  expect(process.env['TILLWRIGHT_TEST_SEED']).toMatch(/./)
  expect(nextSeed()).toBe(`${process.env['TILLWRIGHT_TEST_SEED']} .ci/test-seed.test.ts 1`)
})
