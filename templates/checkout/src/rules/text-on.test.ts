import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOn } from './text-on.ts'

test('text is white on dark colours and black on light ones', () => {
  for (const dark of ['#000000', '#1d4ed8', '#b91c1c']) assert.equal(textOn(dark), '#ffffff')
  for (const light of ['#ffffff', '#facc15', '#22d3ee']) assert.equal(textOn(light), '#000000')
})
