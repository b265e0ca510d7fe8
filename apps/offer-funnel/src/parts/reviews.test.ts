import { expect, test } from 'vitest'
import { ratingOf, shownReviews } from './reviews.tsx'

const review = { name: 'Maren', place: 'Bergen', rating: 5, text: { en: 'Tight.' }, isSample: false }

test('a buyer sees no samples, and a preview sees all', () => {
  const reviews = [review, { ...review, isSample: true }]
  expect(shownReviews(reviews, false)).toEqual([review])
  expect(shownReviews(reviews, true)).toEqual(reviews)
})

test('the rating is the average of the reviews', () => {
  expect(ratingOf([{ rating: 5 }, { rating: 4 }])).toBe(4.5)
})
