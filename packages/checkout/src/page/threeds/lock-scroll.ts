/**
 * Keeps a page from scrolling, without moving what is on it: where a scrollbar takes room, the room stays.
 *
 * @returns Gives the page its own styles back.
 */
export function lockScroll({ style, clientWidth }: HTMLElement): () => void {
  const { overflow, scrollbarGutter } = style
  style.overflow = 'hidden'
  if (innerWidth > clientWidth) style.scrollbarGutter = 'stable'
  return () => {
    style.overflow = overflow
    style.scrollbarGutter = scrollbarGutter
  }
}
