import { expect, test } from 'vitest'
import { overlayStyle } from './overlay.ts'
import { toolbarStyle } from './toolbar/style.ts'

test('neither the toolbar nor the overlay has motion, so that there is none to reduce', () => {
  expect(toolbarStyle + overlayStyle).not.toMatch(/\b(?:animation|transition|scroll-behavior)\b/)
})
