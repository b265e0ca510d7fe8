import { expect, test } from 'vitest'
import { accountPlaces } from './account-places.ts'

/** Takes as many as an account gets. */
function takeAll(accountId: string, places: ReturnType<typeof accountPlaces>): number {
  let taken = 0
  for (; places.isFreeFor(accountId); taken++) places.take(accountId)
  return taken
}

test('one account gets half of the places, and the next ones half of what is left', () => {
  const places = accountPlaces(32)
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => takeAll(id, places))).toEqual([16, 8, 4, 2, 1, 1])
  expect(places.taken).toBe(32)
})

test('who has fewer than are free goes on as soon as places are given back', () => {
  const places = accountPlaces(8)
  expect([takeAll('a', places), takeAll('b', places), takeAll('c', places)]).toEqual([4, 2, 1])
  expect(places.isFreeFor('b')).toBe(false)
  for (let i = 0; i < 2; i++) places.leave('a')
  expect(takeAll('b', places)).toBe(1)
  expect(places.isFreeFor('a')).toBe(false)
})
