/** A review of the settings. */
export type Review = Tillwright.Config['landing']['reviews'][number]

/** The reviews that may be shown: samples belong to previews, where nobody takes them for a buyer's word. */
export function shownReviews(reviews: readonly Review[], isPreview: boolean): readonly Review[] {
  return reviews.filter(({ isSample }) => isPreview || !isSample)
}

/** The average of the stars of at least one review. */
export function ratingOf(reviews: readonly Pick<Review, 'rating'>[]): number {
  return reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length
}
