import { hookAnswers, hookKind } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { answerHook } from './merchant.ts'

const question = {
  amount: 100_000,
  lines: [
    { amount: 2_000, isTaxable: true, isShippable: true, grams: 1_200 },
    { amount: 500, isTaxable: false, isShippable: false, grams: null },
  ],
}

test('the simulated merchant’s server answers each kind of question in its shape', async () => {
  const answers = hookKind.options.map(async (kind) => {
    const answer = await answerHook(kind, question, '')
    return hookAnswers[kind].parse(JSON.parse(answer?.body ?? ''))
  })
  expect(await Promise.all(answers)).toMatchObject([
    { taxes: [{ line: 0, amount: 160 }] },
    { rates: [{ amount: 600 }, { amount: 1_600 }] },
    { lines: [{ available: true }, { available: true }] },
    { decision: 'challenge' },
  ])
  expect(await answerHook('weather', question, '')).toBeNull()
})

test('what it does can be arranged', async () => {
  expect((await answerHook('tax', question, 'fail'))?.status).toBe(500)
  expect(await answerHook('tax', question, 'garbage')).toEqual({ status: 200, body: '<html>' })
  expect((await answerHook('risk', question, 'refuse'))?.body).toBe('{"decision":"refuse"}')
  expect((await answerHook('stock', question, 'sold-out'))?.body).toContain('"available":false')
})
