/** Values that can be passed between a test and a page. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A document that a browser shows: a page's own, or that of a frame in it. */
export interface BrowserDocument {
  /**
   * Runs a function in the document, awaiting its promise. It travels as text, so it knows its arguments and the
   * document, and nothing of the test's file.
   *
   * @returns Its result, passed as JSON: `undefined` becomes `null`.
   */
  evaluate<Arguments extends readonly Json[], Result>(
    run: (...given: Arguments) => Result,
    ...given: Arguments
  ): Promise<Awaited<Result>>
  /** Presses the main button of a real pointer in the middle of the first element that matches, wherever it is scrolled. */
  click(selector: string): Promise<void>
  /** The document in the frame that matches. It is looked up whenever it is asked something, so it need not be there yet. */
  frame(selector: string): BrowserDocument
}

/** A page in a window of its own, whose cookies and storage no other has. */
export interface BrowserPage extends BrowserDocument {
  /** Of the engine, as it says itself. */
  version: string
  goto(url: string): Promise<void>
  /** The room for the page, in CSS pixels. */
  resize(widthPx: number, heightPx: number): Promise<void>
  /** Types key by key, wherever the keyboard is. */
  type(text: string): Promise<void>
  /** Presses keys, each while those before it are held: `press('Control', 'v')`. */
  press(...keys: readonly string[]): Promise<void>
  /** The visible part of the page, as PNG. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

/** A browser that runs. */
export interface RunningBrowser {
  open(): Promise<BrowserPage>
  /** Ends all of its processes and deletes its profile. */
  close(): Promise<void>
}

/** How a browser is started. */
export interface LaunchOptions {
  /** Whether its user prefers dark pages. */
  dark?: boolean
  /** How it protects its user from tracking. Unless given, whatever takes the least time to start. */
  protection?: Protection
}

/**
 * - `default`: as its maker ships it.
 * - `private`: a window that keeps nothing.
 * - `strict`: the strictest of the browser's own choices.
 * - `no third parties`: frames of other sites have no cookies.
 * - `strictest`: all of these that it can have at once.
 */
export type Protection = 'default' | 'private' | 'strict' | 'no third parties' | 'strictest'

/** A browser engine that the buyer's way is walked in. */
export interface Engine {
  name: 'Chromium' | 'Firefox' | 'WebKit'
  /** Command that installs the browser; `null` if it is installed. */
  missing: string | null
  /** Protections that the browser does not support, with the reason. */
  lacks: Readonly<Partial<Record<Protection, string>>>
  launch(options?: LaunchOptions): Promise<RunningBrowser>
}

/** Keys without a character, as WebDriver writes them. Source: WebDriver, "Keyboard actions". */
const KEYS: Readonly<Record<string, string>> = {
  Shift: '\uE008',
  Control: '\uE009',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowDown: '\uE015',
}

/** One source of input and what it does, as WebDriver and WebDriver BiDi both have it. */
export interface InputSource {
  type: 'key' | 'pointer'
  id: string
  actions: readonly object[]
}

/** Keys pressed one after the other. */
export function typedKeys(text: string): InputSource {
  return keyboard([...text].flatMap((value) => [down(value), up(value)]))
}

/** Keys pressed together. */
export function heldKeys(keys: readonly string[]): InputSource {
  const values = keys.map((key) => KEYS[key] ?? key)
  return keyboard([...values.map(down), ...values.toReversed().map(up)])
}

/** A click in the middle of an element, which the protocol names in its own way. */
export function clicked(origin: object): InputSource {
  const actions = [
    { type: 'pointerMove', x: 0, y: 0, origin },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
  return { type: 'pointer', id: 'mouse', actions }
}

function keyboard(actions: readonly object[]): InputSource {
  return { type: 'key', id: 'keyboard', actions }
}

const down = (value: string) => ({ type: 'keyDown', value })
const up = (value: string) => ({ type: 'keyUp', value })
