import type { Rgb } from './readable-on.ts'

/**
 * Reads any colour that CSS knows, by letting the browser draw it.
 *
 * @returns White for what is no colour.
 */
export function readRgb(color: string): Rgb {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (context === null) return [255, 255, 255]
  context.fillStyle = '#fff'
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 255, green = 255, blue = 255] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
