/** A corner of the window, by the classes that a toolbar has there. */
export type Corner = (typeof corners)[number]

const corners = ['left', 'right', 'right top', 'left top'] as const

/** The corner that follows; the first after the last. */
export function nextCorner(corner: Corner): Corner {
  return corners[(corners.indexOf(corner) + 1) % corners.length] ?? 'left'
}

type Rect = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

/** Elements that buyers press or type into. */
const CONTROLS =
  'a[href], button, input, select, textarea, summary, iframe, label:has(input), [role=button], [tabindex]'
/** Between the toolbar and the edges of the window. */
const MARGIN_PX = 12
/** Between a place along an edge and the next one. */
const STEP_PX = 24
/** A window as narrow as this has no room for a page and the open toolbar. */
const PHONE_MAX_PX = 480

/** Whether the open toolbar covers most of the page. */
export function isPhone(): boolean {
  return innerWidth <= PHONE_MAX_PX
}

/** Puts the closed toolbar where it covers no control of the page: into its corner, else along the edges. */
export function placePill(pill: HTMLElement, corner: Corner): void {
  const { offsetWidth: width, offsetHeight: height } = pill
  const best = leastOf(spotsOf({ width, height }, corner), covering())
  if (best !== undefined) pill.style.inset = `${best.top}px auto auto ${best.left}px`
}

/** The corner in which the open toolbar covers the fewest controls; its own if no other is better. */
export function openingCorner(panel: HTMLElement, own: Corner): Corner {
  const rect = rectOf(panel)
  const edge = own.includes('top') ? rect.top : innerHeight - rect.bottom
  const cover = covering()
  return leastOf(inOrder(own), (corner) => cover(spotIn(corner, sizeOf(rect), edge))) ?? own
}

/** Counts the controls of the page that a place would cover. */
function covering(): (spot: Rect) => number {
  const controls = [...document.body.querySelectorAll(CONTROLS)].filter((each) => each.checkVisibility()).map(rectOf)
  return (spot) => controls.filter((rect) => area(rect, spot) > 0).length
}

/** The corners, beginning with one. */
function inOrder(first: Corner): Corner[] {
  return [first, ...corners.filter((each) => each !== first)]
}

function sizeOf({ left, right, top, bottom }: Rect): Size {
  return { width: right - left, height: bottom - top }
}

/** Where the open toolbar stands, and how high it may be there. */
export interface PanelPlace {
  corner: Corner
  /** `null` for as high as its content. */
  heightPx: number | null
}

/** Between the open toolbar and what it makes way for. */
const GAP_PX = 8
/** A lower panel would show nothing. */
const PANEL_MIN_PX = 160

/** The place where the open toolbar does not cover an element of the page; `null` if there is none. */
export function clearPlace(panel: HTMLElement, covered: Element, first: Corner): PanelPlace | null {
  const [own, rect] = [rectOf(panel), rectOf(covered)]
  const edge = first.includes('top') ? own.top : innerHeight - own.bottom
  const order = inOrder(first)
  const free = order.find((corner) => area(spotIn(corner, sizeOf(own), edge), rect) === 0)
  if (free !== undefined) return { corner: free, heightPx: first === free ? heightOf(panel) : null }
  const room = (corner: Corner) => (corner.includes('top') ? rect.top : innerHeight - rect.bottom) - edge - GAP_PX
  const roomy = order.find((corner) => room(corner) >= PANEL_MIN_PX)
  return roomy === undefined ? null : { corner: roomy, heightPx: room(roomy) }
}

/** The height that a panel was given before. */
function heightOf({ style }: HTMLElement): number | null {
  return style.maxHeight === '' ? null : Number.parseFloat(style.maxHeight)
}

/** Calls a function when the page has moved, changed or grown, once for all that happens in a frame. */
export function whenMoved(moved: () => void): void {
  let isAsked = false
  const ask = () => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      moved()
    })
  }
  addEventListener('scroll', ask, { passive: true, capture: true })
  addEventListener('resize', ask)
  new ResizeObserver(ask).observe(document.documentElement)
  new MutationObserver(ask).observe(document.body, { subtree: true, childList: true, attributes: true })
}

/**
 * Calls a function when the author turns to a control of the page, those of other origins in frames among them. What is in a
 * dialog stands above the toolbar anyway.
 */
export function whenUsed(host: Element, tell: (control: Element) => void): void {
  const used = (control: Element) => control.closest('dialog:modal') === null && tell(control)
  const take = ({ target }: Event) => {
    if (!(target instanceof Element) || target === host || !document.body.contains(target)) return
    const control = target.closest(CONTROLS)
    if (control !== null) used(control)
  }
  addEventListener('focusin', take)
  addEventListener('pointerdown', take, true)
  // The keyboard of a frame is its own; the page hears only that it has lost it.
  addEventListener('blur', () => {
    if (document.activeElement instanceof HTMLIFrameElement) used(document.activeElement)
  })
}

interface Size {
  width: number
  height: number
}

/** Corners, the wanted one first, and then places along the edges, from below. */
function spotsOf(size: Size, first: Corner): Rect[] {
  const inCorners = [first, ...corners.filter((each) => each !== first)].map((corner) =>
    spotIn(corner, size, MARGIN_PX),
  )
  const count = Math.max(Math.floor((innerHeight - size.height) / STEP_PX), 0)
  const alongEdges = Array.from({ length: count }, (_, index) => {
    const top = innerHeight - size.height - index * STEP_PX
    const right = innerWidth - size.width
    const lefts = first.includes('left') ? [0, right] : [right, 0]
    return lefts.map((left) => ({ left, top, right: left + size.width, bottom: top + size.height }))
  })
  return [...inCorners, ...alongEdges.flat()]
}

function spotIn(corner: Corner, { width, height }: Size, edge: number): Rect {
  const left = corner.includes('left') ? MARGIN_PX : innerWidth - width - MARGIN_PX
  const top = corner.includes('top') ? edge : innerHeight - height - edge
  return { left, top, right: left + width, bottom: top + height }
}

function rectOf(element: Element): Rect {
  return element.getBoundingClientRect()
}

/** How much two rectangles have in common, in square pixels. */
function area(one: Rect, other: Rect): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return Math.max(width, 0) * Math.max(height, 0)
}

function leastOf<Item>(items: readonly Item[], measure: (item: Item) => number): Item | undefined {
  return items.toSorted((one, other) => measure(one) - measure(other))[0]
}
