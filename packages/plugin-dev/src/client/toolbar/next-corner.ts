const corners = ['left', 'right', 'right top', 'left top'] as const

/** A corner of the window, by the classes that a toolbar has there. */
export type Corner = (typeof corners)[number]

/** The corner that follows; the first behind the last. */
export function nextCorner(corner: Corner): Corner {
  return corners[(corners.indexOf(corner) + 1) % corners.length] ?? 'left'
}
