/** How the frame of a card form comes to its place, and from one place to another. A frame that leaves the document is emptied. */
export interface FramePlacement {
  /** Mounts a form. Errors of the checkout are thrown. */
  mount: (card: Mountable, target: string | Element) => { iframe: HTMLIFrameElement; home: Element }
  /** Shows a frame in another element. */
  move: (iframe: HTMLIFrameElement, home: Element) => void
  /** Keeps a frame connected, out of sight. */
  park: (iframe: HTMLIFrameElement) => void
  isParked: (iframe: HTMLIFrameElement) => boolean
}

/** A card form of the checkout. */
interface Mountable {
  mount: (target: string | Element) => unknown
}

/** The browser's way to place frames: it moves them where it can, else it shows them above their place. */
export function framePlacement(): FramePlacement {
  return 'moveBefore' in Element.prototype ? movingPlacement() : layeredPlacement()
}

/** Frames stand where the page mounts them, and move with their state. */
function movingPlacement(): FramePlacement {
  const shelf = document.createElement('tillwright-card-shelf')
  shelf.style.cssText = 'position:fixed;top:0;left:0;clip-path:inset(50%);pointer-events:none'
  return {
    mount(card, target) {
      card.mount(target)
      const home = typeof target === 'string' ? document.querySelector(target) : target
      const iframe = home?.lastElementChild
      if (home === null || !(iframe instanceof HTMLIFrameElement)) throw new TypeError('The form has no frame.')
      return { iframe, home }
    },
    move: (iframe, home) => iframe.parentElement !== home && home.moveBefore(iframe, null),
    park(iframe) {
      shelf.style.width = `${iframe.offsetWidth}px` // another width would lay the form out anew
      if (!shelf.isConnected) document.documentElement.append(shelf)
      shelf.moveBefore(iframe, null)
    },
    isParked: (iframe) => iframe.parentElement === shelf,
  }
}

/** Frames stand in an element of their own for good, which is shown above the place where the page mounts them. */
function layeredPlacement(): FramePlacement {
  const layers = new Map<HTMLIFrameElement, { layer: HTMLElement; place: HTMLElement | null }>()
  const placeIn = (home: Element) => home.appendChild(document.createElement('div'))

  function follow(): void {
    for (const [iframe, { layer, place }] of layers) {
      if (!iframe.isConnected) {
        layer.remove()
        place?.remove()
        layers.delete(iframe)
        continue
      }
      const isShown = place?.isConnected === true
      layer.style.visibility = isShown ? 'visible' : 'hidden'
      if (!isShown) continue
      place.style.height = `${iframe.offsetHeight}px`
      const { left, top, width } = place.getBoundingClientRect()
      layer.style.transform = `translate(${left + scrollX}px, ${top + scrollY}px)`
      layer.style.width = `${width}px`
    }
    if (layers.size > 0) requestAnimationFrame(follow)
  }

  return {
    mount(card, target) {
      const home = typeof target === 'string' ? document.querySelector(target) : target
      const layer = document.createElement('tillwright-card-layer')
      layer.style.cssText = 'position:absolute;top:0;left:0;display:block;visibility:hidden'
      if (home?.isConnected) document.documentElement.append(layer)
      card.mount(home?.isConnected ? layer : target) // refuses a target that is not there
      const iframe = (home?.isConnected ? layer : home)?.lastElementChild
      if (home == null || !(iframe instanceof HTMLIFrameElement)) throw new TypeError('The form has no frame.')
      if (home.isConnected) layers.set(iframe, { layer, place: placeIn(home) })
      if (layers.size === 1) requestAnimationFrame(follow)
      return { iframe, home }
    },
    move(iframe, home) {
      const shown = layers.get(iframe)
      if (shown === undefined) return
      shown.place?.remove()
      shown.place = placeIn(home)
    },
    park(iframe) {
      const shown = layers.get(iframe)
      shown?.place?.remove()
      if (shown !== undefined) shown.place = null
    },
    isParked: (iframe) => layers.get(iframe)?.place?.isConnected !== true && iframe.isConnected,
  }
}

/**
 * Tells when frames are about to leave their place: before an element is taken out, moved or replaced.
 *
 * @param leaving Called with the elements that leave.
 */
export function guardRemovals(leaving: (leaves: (frame: Element) => boolean) => void): void {
  const node = (left: unknown) => {
    if (left instanceof Element) leaving((frame) => left !== frame && left.contains(frame))
  }
  const content = (of: Node) => leaving((frame) => of !== frame && of.contains(frame))
  before(Node.prototype, ['removeChild', 'appendChild', 'insertBefore'], (_, [child]) => node(child))
  before(Node.prototype, ['replaceChild'], (_, [, old]) => node(old))
  before(Element.prototype, ['remove', 'replaceWith'], (self) => node(self))
  before(Element.prototype, ['append', 'prepend', 'before', 'after'], (_, given) => given.forEach(node))
  before(Element.prototype, ['replaceChildren'], content)
  beforeSet(Element.prototype, 'innerHTML', content)
  beforeSet(Element.prototype, 'outerHTML', content)
  beforeSet(Node.prototype, 'textContent', content)
}

function before(prototype: Node, names: readonly string[], notice: (self: Node, given: unknown[]) => void): void {
  for (const name of names) {
    const original: unknown = Reflect.get(prototype, name)
    if (typeof original !== 'function') continue
    Reflect.set(prototype, name, function (this: Node, ...given: unknown[]): unknown {
      notice(this, given)
      return Reflect.apply(original, this, given)
    })
  }
}

function beforeSet(prototype: Node, name: string, notice: (self: Node) => void): void {
  const property = Object.getOwnPropertyDescriptor(prototype, name)
  const set = property?.set
  if (property === undefined || set === undefined) return
  Object.defineProperty(prototype, name, {
    ...property,
    set(this: Node, value: unknown) {
      notice(this)
      Reflect.apply(set, this, [value])
    },
  })
}
