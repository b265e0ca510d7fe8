import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EditHistory } from './field-edits.ts'

const state = (text: string) => ({ text, caret: text.length })

test('edits are undone one by one down to the empty field, and redone', () => {
  const history = new EditHistory()
  history.record(state('4'))
  history.record(state('42'))
  expect([history.undo(), history.undo(), history.undo()]).toEqual([state('4'), state(''), null])
  expect([history.redo(), history.redo(), history.redo()]).toEqual([state('4'), state('42'), null])
})

test('a new edit after an undo drops what was undone', () => {
  const history = new EditHistory()
  history.record(state('4'))
  history.undo()
  history.record(state('5'))
  expect(history.redo()).toBeNull()
  expect(history.undo()).toEqual(state(''))
})

test('a cleared history gives no digit back', () => {
  const history = new EditHistory()
  history.record(state('4242'))
  history.clear()
  expect([history.undo(), history.redo()]).toEqual([null, null])
})

test('the last hundred edits can be undone, in the order opposite to that in which they were made', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 130 }), (texts) => {
      const history = new EditHistory()
      for (const text of texts) history.record(state(text))
      const undone = texts.map(() => history.undo()).filter((earlier) => earlier !== null)
      expect(undone).toEqual(['', ...texts].slice(0, -1).slice(-100).toReversed().map(state))
    }),
  )
})
