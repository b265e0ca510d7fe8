import { type FramePlacement, guardRemovals } from './frame-placement.ts'

/** For so long after an edit has been applied, a card form that is taken out is kept for the code that follows it. */
const EXCHANGE_MS = 3_000
const events = ['ready', 'change', 'brand', 'focus', 'blur', 'submit', 'loaderror', 'error'] as const

type CardEvent = (typeof events)[number]
type Listener = (...details: unknown[]) => void

/** A card form of the checkout, as documented by `@tillwright/checkout`. */
export interface CardElement {
  mount(target: string | Element): CardElement
  retry(): void
  on(event: CardEvent, listener: Listener): () => void
  tokenize(): Promise<unknown>
  focus(): void
  clear(): void
  update(options: object): void
  unmount(): void
  destroy(): void
}

interface Checkout {
  card(options?: object): CardElement
}

interface CheckoutScript {
  init(options: InitOptions): Promise<Checkout>
}

interface InitOptions {
  publishableKey: string
  vaultUrl?: string
  locale?: string
}

/** A form whose frame is in the page. */
interface MountedForm {
  card: CardElement
  iframe: HTMLIFrameElement
  /** The element that it was mounted in. */
  home: Element
  /** The shop's key and vault: a form is handed on to code of the same shop only. */
  shop: string
  isReady: boolean
  /** The last details of the events that describe the form's state. */
  state: Map<'change' | 'brand', readonly unknown[]>
  /** Receives its events; `null` while no code of the page holds it. */
  owner: ((event: CardEvent, details: readonly unknown[]) => void) | null
}

/** The card forms of a page, which outlive the code that has mounted them. */
export interface KeptForms {
  /** Modules are about to be exchanged. */
  expectExchange: () => void
  /** Takes every form out of the page's content, and hands it to the code that mounts the next one. */
  release: () => void
  /** Whether a card can be typed into this page. */
  hasForm: () => boolean
  /** Whether a form is kept that no code of the page has mounted again. */
  isWaiting: () => boolean
}

/**
 * Keeps the frames of card forms connected while modules are exchanged, so that no edit empties what was typed. Code that
 * mounts a form after an edit receives the one that is there, with the new options.
 *
 * @param placement How a frame changes its place without being loaded again.
 */
export function keepForms(placement: FramePlacement): KeptForms {
  const forms = new Set<MountedForm>()
  let untilMs = 0
  let ending: ReturnType<typeof setTimeout> | undefined
  const isExchanging = () => performance.now() < untilMs

  const register: Registry = {
    placement,
    forms,
    isKept: (form) => isExchanging() && form.isReady && form.iframe.isConnected,
  }
  guardRemovals((leaves) => {
    for (const form of forms) if (leaves(form.iframe) && register.isKept(form)) placement.park(form.iframe)
  })
  // A framework may put the same element back; the frame follows.
  new MutationObserver(() => {
    for (const { owner, iframe, home } of forms)
      if (owner !== null && home.isConnected && placement.isParked(iframe)) placement.move(iframe, home)
  }).observe(document, { subtree: true, childList: true })
  wrapScript(register)

  return {
    expectExchange() {
      untilMs = performance.now() + EXCHANGE_MS
      clearTimeout(ending)
      ending = setTimeout(() => discardUnwanted(register), EXCHANGE_MS)
    },
    release() {
      for (const form of forms) {
        if (!form.isReady || !form.iframe.isConnected) continue
        placement.park(form.iframe)
        form.owner = null
      }
    },
    isWaiting: () => [...forms].some(({ iframe }) => iframe.isConnected && placement.isParked(iframe)),
    hasForm: () => [...forms].some(({ isReady, iframe }) => isReady && iframe.isConnected),
  }
}

interface Registry {
  placement: FramePlacement
  forms: Set<MountedForm>
  /** Whether a form survives the code that takes it out now. */
  isKept: (form: MountedForm) => boolean
}

/** A form that stands in the page and that no code has taken over does not belong there any more. */
function discardUnwanted({ forms, placement }: Registry): void {
  for (const form of forms) {
    if (form.owner !== null || placement.isParked(form.iframe)) continue
    form.card.destroy()
    forms.delete(form)
  }
}

/** Wraps the checkout as soon as the vault's script has set `window.Tillwright`. */
function wrapScript(register: Registry): void {
  let wrapped: CheckoutScript | undefined
  const wrap = (script: CheckoutScript): CheckoutScript => ({
    ...script,
    async init(options) {
      const checkout = await script.init(options)
      const { publishableKey, vaultUrl = '', locale = document.documentElement.lang || 'en', ...rest } = options
      const defaults = { appearance: {}, networks: {}, name: false, savedCards: [], locale, ...rest }
      const shop = `${publishableKey} ${vaultUrl}`
      return { ...checkout, card: (own = {}) => keptCard({ checkout, shop, defaults, own, register }) }
    },
  })
  Object.defineProperty(window, 'Tillwright', {
    configurable: true,
    get: () => wrapped,
    set(script: CheckoutScript) {
      wrapped = wrap(script)
    },
  })
}

interface WantedCard {
  checkout: Checkout
  shop: string
  /** The options of a form that names none. */
  defaults: object
  own: object
  register: Registry
}

/** A card form with the interface of the checkout's own, over a form that may have been mounted by earlier code. */
function keptCard(wanted: WantedCard): CardElement {
  const listeners = new Map<CardEvent, Set<Listener>>()
  const holder = formHolder(wanted, (event, details) => {
    for (const listener of listeners.get(event) ?? []) listener(...details)
  })
  let target: string | Element = ''
  const card: CardElement = {
    mount(place) {
      holder.mount(place)
      target = place
      return card
    },
    retry() {
      if (!holder.isMounted()) card.mount(target)
    },
    on(event, listener) {
      holder.current().on(event, () => {})() // refuses events that there are not
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener))
      return () => void all.delete(listener)
    },
    tokenize: () => holder.current().tokenize(),
    focus: () => holder.current().focus(),
    clear: () => holder.current().clear(),
    update: holder.update,
    unmount: () => holder.leave((form) => form.unmount()),
    destroy() {
      holder.leave((form) => form.destroy())
      holder.current().destroy()
      listeners.clear()
    },
  }
  return card
}

/** Holds one of the page's forms for the code that created it. */
interface FormHolder {
  isMounted: () => boolean
  /** The checkout's form: the one in the page, else one that is in none yet. */
  current: () => CardElement
  mount: (target: string | Element) => void
  update: (options: object) => void
  /** Leaves the form to the code that follows while modules are exchanged; else it ends for good. */
  leave: (end: (form: CardElement) => void) => void
}

function formHolder(
  { checkout, shop, defaults, own, register: { forms, placement, isKept } }: WantedCard,
  emit: (event: CardEvent, details: readonly unknown[]) => void,
): FormHolder {
  let options = own
  let fresh = checkout.card(own) // refuses wrong options as ever
  let form: MountedForm | null = null

  return {
    isMounted: () => mine() !== null,
    current,
    leave,
    mount(target) {
      const home = typeof target === 'string' ? document.querySelector(target) : target
      const found = mine() === null && home?.isConnected ? unownedForm(forms, shop) : undefined
      if (found === undefined || home === null) mountFresh(target)
      else takeOver(found, home)
    },
    update(given) {
      current().update(given)
      options = { ...options, ...given }
    },
  }

  function current(): CardElement {
    return mine()?.card ?? fresh
  }

  /** The form that this code holds; `null` also once it was handed on. */
  function mine(): MountedForm | null {
    if (form !== null && form.owner !== hear) giveUp()
    return form
  }

  function hear(event: CardEvent, details: readonly unknown[]): void {
    if (event === 'loaderror' || event === 'error') leave(() => {})
    emit(event, details)
  }

  function takeOver(found: MountedForm, home: Element): void {
    form = Object.assign(found, { owner: hear, home })
    placement.move(found.iframe, home)
    found.card.update({ ...defaults, ...options })
    setTimeout(() => mine() === found && tellState(found)) // the code that mounts it listens by then
  }

  function mountFresh(target: string | Element): void {
    const place = placement.mount(current(), target)
    form = { card: fresh, ...place, shop, isReady: false, state: new Map(), owner: hear }
    forms.add(form)
    follow(form)
  }

  function leave(end: (left: CardElement) => void): void {
    const left = mine()
    if (left === null) return
    if (isKept(left)) left.owner = null
    else {
      end(left.card)
      forms.delete(left)
    }
    giveUp()
  }

  /** Another form takes the place of the one that is left to others. */
  function giveUp(): void {
    form = null
    fresh = checkout.card(options)
  }
}

/** Tells the code that has taken over a form what it has missed. */
function tellState({ state, owner }: MountedForm): void {
  owner?.('ready', [])
  for (const [event, details] of state) owner?.(event, details)
}

function unownedForm(forms: ReadonlySet<MountedForm>, shop: string): MountedForm | undefined {
  return [...forms].find((each) => each.owner === null && each.shop === shop && each.iframe.isConnected)
}

/** Remembers the state of a form, and passes its events on to the code that holds it. */
function follow(form: MountedForm): void {
  for (const event of events) {
    form.card.on(event, (...details) => {
      if (event === 'ready') form.isReady = true
      if (event === 'change' || event === 'brand') form.state.set(event, details)
      form.owner?.(event, details)
    })
  }
}
