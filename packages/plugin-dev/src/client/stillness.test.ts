import { expect, test } from 'vitest'
import { overlayStyle } from './overlay-style.ts'
import { toolbarStyle } from './toolbar/toolbar-style.ts'

test('neither the toolbar nor the overlay moves anything, so that nobody has to ask for less motion', () => {
  expect(toolbarStyle + overlayStyle).not.toMatch(/\b(?:animation|transition|scroll-behavior)\b/)
})
