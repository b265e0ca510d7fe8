/** What may be wrong with a page that is seen in a scenario. */
export interface PageProblem {
  kind: 'console' | 'error' | 'unsettled' | 'document' | 'accessibility' | 'budget' | 'picture'
  message: string
}
