import type { ShownProblem, StackFrame } from '../protocol.ts'

/** Where problems come from: the server, errors of this page, its inputs. */
export type OverlaySource = 'plugin' | 'page' | 'inputs'

/** The one place where a page that is being written shows what is wrong. */
export interface Overlay {
  /** Replaces the problems of a source; the overlay closes when no source has any. */
  show: (source: OverlaySource, problems: readonly ShownProblem[]) => void
  /** The current problems of a source. */
  of: (source: OverlaySource) => readonly ShownProblem[]
}

/** @param openEditor Opens a place of the plugin in its author's editor. */
export function createOverlay(openEditor: (place: string) => void): Overlay {
  const problems = new Map<OverlaySource, readonly ShownProblem[]>()
  const host = document.createElement('tillwright-overlay')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheetOf(overlayStyle)]
  let closed = ''

  function render(): void {
    const all = [...problems.values()].flat()
    if (all.length === 0 || JSON.stringify(all) === closed) return host.remove()
    closed = ''
    root.replaceChildren(veil(), panel(all, { openEditor, close: () => close(all) }))
    if (!host.isConnected) document.documentElement.append(host)
  }

  function close(all: readonly ShownProblem[]): void {
    closed = JSON.stringify(all)
    host.remove()
  }

  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && host.isConnected) close([...problems.values()].flat())
  })
  return {
    of: (source) => problems.get(source) ?? [],
    show(source, found) {
      problems.set(source, found)
      render()
    },
  }
}

interface OverlayActions {
  openEditor: (place: string) => void
  close: () => void
}

function panel(problems: readonly ShownProblem[], deeds: OverlayActions): HTMLElement {
  const box = element('section', 'panel')
  box.setAttribute('role', 'alertdialog')
  box.setAttribute('aria-label', 'Errors of the plugin')
  const head = element('header')
  const button = element('button', 'close', '×')
  button.setAttribute('aria-label', 'Hide until something changes')
  button.addEventListener('click', deeds.close)
  head.append(element('h1', '', problems.length === 1 ? 'One error' : `${problems.length} errors`), button)
  const list = element('ol')
  list.append(...problems.map((problem) => item(problem, deeds)))
  box.append(head, list, element('footer', '', 'This closes by itself once it is fixed. Esc hides it until then.'))
  return box
}

function item(problem: ShownProblem, { openEditor }: OverlayActions): HTMLElement {
  const { file, line, column, rule, fix, importedBy = [], stack = [] } = problem
  const entry = element('li')
  const placeButton = (className: string, text: string, place = text) => {
    const button = element('button', className, text)
    button.title = 'Open in the editor'
    button.addEventListener('click', () => openEditor(place))
    return button
  }
  const place = `${file}:${line}:${column}`
  if (file !== '') entry.append(placeButton('place', place))
  entry.append(element('p', 'rule', rule), ...excerpt(problem), element('p', 'fix', fix))
  if (importedBy.length > 0) {
    const way = element('p', 'way', 'Imported by ')
    way.append(
      ...importedBy.flatMap((path, index) => [
        ...(index === 0 ? [] : [' › ']),
        placeButton('module', path, `${path}:1:1`),
      ]),
    )
    entry.append(way)
  }
  if (stack.length > 0) entry.append(calls(stack, file === ''))
  return entry
}

/** The lines of a problem's place, with a caret below the column. */
function excerpt({ excerpt: lines = [], line, column }: ShownProblem): HTMLElement[] {
  if (lines.length === 0) return []
  const code = element('pre', 'excerpt')
  code.tabIndex = 0
  const width = String(lines.at(-1)?.line ?? 0).length
  for (const { line: number, text } of lines) {
    const isMeant = number === line
    const row = element('span', isMeant ? 'row meant' : 'row')
    row.append(element('span', 'number', `${String(number).padStart(width)} `), `${text}\n`)
    if (isMeant) {
      // Tabs stay tabs, so that the caret stands below its letter.
      const before = text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')
      row.append(element('span', 'caret', `${' '.repeat(width + 1)}${before}^\n`))
    }
    code.append(row)
  }
  return [code]
}

/** The calls that led to an error. */
function calls(stack: readonly StackFrame[], isOpen: boolean): HTMLElement {
  const box = document.createElement('details')
  box.open = isOpen
  const list = element('div', 'stack')
  list.append(
    ...stack.map(({ name, file, line, column }) => {
      const row = element('p', '', `${name === '' ? 'a function' : name} `)
      row.append(element('span', 'where', `${file}:${line}:${column}`))
      return row
    }),
  )
  box.append(element('summary', '', 'Stack'), list)
  return box
}

/** A sheet rather than an element: the policy of a page has no say in it. */
function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
}

function veil(): HTMLElement {
  return element('div', 'veil')
}

function element(name: string, className = '', text = ''): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

/** The overlay's looks: its own, whatever the page's are. */
export const overlayStyle = `
:host { all: initial; position: fixed; inset: 0; z-index: 2147483647; color-scheme: light dark;
  --ground: #ffffff; --ink: #1a2030; --soft: #5b6478; --line: #e4e7ee; --error: #c2252e; --error-ground: #fdf0f0;
  --link: #2348c7; --code: #f5f6f9 }
@media (prefers-color-scheme: dark) { :host { --ground: #171b24; --ink: #edf0f6; --soft: #a2abbd; --line: #2b3241;
  --error: #ff8a8f; --error-ground: #34191d; --link: #9db5ff; --code: #0f131a } }
.veil { position: absolute; inset: 0; background: rgb(12 16 26 / 48%) }
.panel { position: absolute; inset: 0; margin: auto; box-sizing: border-box; width: min(44rem, calc(100% - 2rem));
  height: fit-content; max-height: calc(100% - 2rem); overflow: auto; overscroll-behavior: contain; border-radius: 14px;
  background: var(--ground); color: var(--ink); box-shadow: 0 24px 64px rgb(8 12 24 / 34%);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif }
header { position: sticky; top: 0; display: flex; align-items: center; gap: .75rem; padding: .9rem 1.25rem;
  border-bottom: 1px solid var(--line); background: var(--ground) }
h1 { flex: 1; margin: 0; font: inherit; font-weight: 650 }
h1::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .6em; border-radius: 50%;
  background: var(--error) }
button { font: inherit; cursor: pointer }
.close { min-width: 44px; min-height: 44px; margin: -.6rem -.7rem -.6rem 0; padding: 0; border: 0; border-radius: 10px; background: none;
  color: var(--soft); font-size: 1.35rem; line-height: 1 }
.close:hover { background: var(--code); color: var(--ink) }
ol { margin: 0; padding: 0; list-style: none }
li { padding: 1.1rem 1.25rem; border-bottom: 1px solid var(--line) }
li:last-child { border-bottom: 0 }
.place { display: inline-block; max-width: 100%; margin: 0 0 .5rem; padding: .2rem .55rem; border: 0; border-radius: 7px;
  background: var(--code); color: var(--link); font: 13px/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  text-align: start; overflow-wrap: anywhere }
button.place:hover { text-decoration: underline }
.rule { margin: 0; font-weight: 550; overflow-wrap: anywhere }
.excerpt { margin: .7rem 0; padding: .6rem .8rem; overflow-x: auto; border-radius: 8px; background: var(--code);
  font: 13px/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; tab-size: 2; white-space: pre }
.row { color: var(--soft) } .row.meant { color: var(--ink) } .number { color: var(--soft); user-select: none }
.caret { color: var(--error); font-weight: 700 }
.way { margin: .6rem 0 0; color: var(--soft); font-size: 13px }
.module { padding: 0 .2rem; border: 0; background: none; color: var(--link); font: inherit; overflow-wrap: anywhere }
details { margin: .6rem 0 0; font-size: 13px } summary { cursor: pointer; color: var(--soft) }
.stack { margin: .3rem 0 0; font: 12px/1.7 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere }
.stack p { margin: 0 } .where { color: var(--soft) }
.fix { margin: .3rem 0 0; color: var(--soft); overflow-wrap: anywhere }
footer { padding: .75rem 1.25rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
@media (max-width: 480px) { .panel { width: 100%; max-height: 85%; margin-bottom: 0; border-radius: 14px 14px 0 0 } }
`
