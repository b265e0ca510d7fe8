import type { Edit } from './choose-edit.ts'
import { fateOf, type ExpectedPage, type Fate } from './expected-page.ts'
import type { World } from './world.ts'

/** An edit, and what the page is promised of it. */
export interface Plan extends Edit {
  fate: Fate
}

/**
 * Plans an edit, and predicts whether the page keeps its state. Where an edit loads the page again, its files are written once: two writes may load it
 * twice. A module that is deleted for a moment may do so as well, and so may another branch.
 */
export function planEdit(page: ExpectedPage, before: World, edit: Edit): Plan {
  if (edit.how === 'checkout') return { ...edit, fate: 'either' }
  const fate = fateOf(page, { before, after: edit.after })
  const isSound = before.moduleFault === null && edit.after.moduleFault === null
  if (fate === 'lost') return { ...edit, fate, how: edit.how === 'moved' ? 'moved' : 'at once' }
  if (edit.how !== 'deleted first') return { ...edit, fate }
  return isSound ? { ...edit, fate: 'either' } : { ...edit, fate, how: 'at once' }
}
