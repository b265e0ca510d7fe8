import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { compareScreenshots } from './screenshots.ts'

/** A white PNG with some black pixels. */
function picture(black: number, width = 200, height = 100): Buffer {
  const png = new PNG({ width, height })
  png.data.fill(255)
  for (let pixel = 0; pixel < black; pixel += 1) png.data.set([0, 0, 0, 255], pixel * 4)
  return PNG.sync.write(png)
}

test('screenshots are the same up to one pixel in two thousand', async () => {
  expect(await compareScreenshots(picture(0), picture(10))).toEqual({ outcome: 'same' })
  const { outcome, message, difference } = Object(await compareScreenshots(picture(0), picture(200)))
  expect([outcome, message]).toEqual(['differs', '200 pixels (1.00 %) differ.'])
  expect(PNG.sync.read(difference)).toMatchObject({ width: 200, height: 100 })
})

test('screenshots of different sizes differ, and the difference shows both', async () => {
  const { outcome, message, difference } = Object(await compareScreenshots(picture(0), picture(0, 180, 120)))
  expect([outcome, message]).toEqual(['other-size', 'It is 180 x 120 and was 200 x 100.'])
  expect(PNG.sync.read(difference)).toMatchObject({ width: 200, height: 120 })
})
