import { expect, test } from 'vitest'

test('importing the package on a server touches nothing of a browser', async () => {
  expect(globalThis).not.toHaveProperty('window')
  expect(await import('./index.ts')).toHaveProperty('init')
})
