import { expect, test } from 'vitest'
import { whenChanged } from './choice.ts'

test('a listener hears of a state once, and again when it comes back', () => {
  const heard: { networks: string[] }[] = []
  const tell = whenChanged((state: { networks: string[] }) => heard.push(state))
  for (const networks of [[], [], ['visa'], ['visa'], []]) tell({ networks })
  expect(heard.map(({ networks }) => networks.join())).toEqual(['', 'visa', ''])
})

test('what a listener knows already it does not hear', () => {
  const heard: string[] = []
  const tell = whenChanged((state: string) => heard.push(state), 'unknown')
  for (const state of ['unknown', 'visa']) tell(state)
  expect(heard).toEqual(['visa'])
})
