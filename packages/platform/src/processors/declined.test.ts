import { expect, test } from 'vitest'
import { declined } from './driver.ts'

test('an advice of the network that forbids another try makes a soft decline hard', () => {
  const reference = 'pi_1'
  expect(declined('do_not_honor', { reference })).toMatchObject({ kind: 'soft', advice: null })
  expect(declined('do_not_honor', { reference, advice: '02' })).toMatchObject({ kind: 'soft', advice: '02' })
  for (const advice of ['03', '21']) {
    expect(declined('do_not_honor', { reference, advice })).toMatchObject({ kind: 'hard', advice })
  }
  expect(declined('stolen_card', { reference, advice: '02' })).toMatchObject({ kind: 'hard' })
})
