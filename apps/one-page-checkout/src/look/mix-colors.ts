import { readRgb } from './read-rgb.ts'

/** A colour between two others, as `color-mix(in srgb, ...)` has it. @param share Of the first, from 0 to 1. */
export function mixColors(one: string, other: string, share: number): string {
  const ground = readRgb(other)
  const channels = readRgb(one).map((channel, index) =>
    Math.round(channel * share + (ground[index] ?? 0) * (1 - share)),
  )
  return `rgb(${channels.join(', ')})`
}
