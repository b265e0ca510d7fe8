import type { Problem } from '@tillwright/plugin-build'
import { overlayStyle } from './overlay-style.ts'

/** Where problems come from: the server, errors of this page, its inputs. */
export type OverlaySource = 'plugin' | 'page' | 'inputs'

/** The one place where a page that is being written shows what is wrong. */
export interface Overlay {
  /** Replaces what a source has to say; it goes away when no source has anything. */
  show: (source: OverlaySource, problems: readonly Problem[]) => void
  /** What a source has to say at the moment. */
  of: (source: OverlaySource) => readonly Problem[]
}

/** @param openEditor Opens a place of the plugin in its author's editor. */
export function createOverlay(openEditor: (place: string) => void): Overlay {
  const problems = new Map<OverlaySource, readonly Problem[]>()
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

  function close(all: readonly Problem[]): void {
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

interface Deeds {
  openEditor: (place: string) => void
  close: () => void
}

function panel(problems: readonly Problem[], deeds: Deeds): HTMLElement {
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
  box.append(head, list, element('footer', '', 'This goes away by itself when it is mended. Esc hides it until then.'))
  return box
}

function item({ file, line, column, rule, fix }: Problem, { openEditor }: Deeds): HTMLElement {
  const entry = element('li')
  if (file !== '') {
    const place = `${file}:${line}:${column}`
    const button = element('button', 'place', place)
    button.title = 'Open in the editor'
    button.addEventListener('click', () => openEditor(place))
    entry.append(button)
  }
  entry.append(element('p', 'rule', rule), element('p', 'fix', fix))
  return entry
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
