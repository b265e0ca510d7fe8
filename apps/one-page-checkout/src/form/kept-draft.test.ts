import { expect, test } from 'vitest'
import { keepDraft, readDraft } from './kept-draft.ts'

test('what is kept for one store is read for that store alone', () => {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
  }
  const open = () => storage
  const draft = { ...readDraft('a', open), email: 'ada@example.com' }
  keepDraft(draft, 'a', open)
  expect(readDraft('a', open)).toEqual(draft)
  expect(readDraft('b', open).email).toBe('')
  keepDraft({ ...draft, debit: { ...draft.debit, iban: 'DE89' } }, 'a', open)
  expect([...items.values()].join()).not.toContain('DE89')
})

test('storage that is closed or holds something else costs nothing', () => {
  const closed = () => {
    throw new Error('closed')
  }
  const empty = readDraft('a', closed)
  expect(empty.isBillingSame).toBe(true)
  expect(() => keepDraft(empty, 'a', closed)).not.toThrow()
  expect(() => keepDraft(empty, 'a', () => ({ setItem: closed }))).not.toThrow()
  expect(readDraft('a', () => ({ getItem: () => 'not JSON' }))).toEqual(empty)
})
