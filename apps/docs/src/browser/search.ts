import MiniSearch, { type SearchResult } from 'minisearch'
import { type Part, searchOptions } from '../search-options.ts'

const SHOWN_MAX = 8

let index: Promise<MiniSearch<Part>> | null = null

/** Answers in the page: the index is one file of this site, read when the field is first used. */
export function startSearch(): void {
  const search = document.querySelector('search')
  const input = search?.querySelector('input')
  const list = search?.querySelector<HTMLElement>('[role=listbox]')
  const output = search?.querySelector('output')
  if (!search || !input || !list || !output) return
  search.hidden = false
  const field: Field = { input, list, output }
  input.addEventListener('focus', () => void readIndex())
  input.addEventListener('input', () => void answer(field))
  input.addEventListener('keydown', (event) => press(event, field))
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !search.contains(relatedTarget)) close(field)
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}

interface Field {
  input: HTMLInputElement
  list: HTMLElement
  output: HTMLOutputElement
}

function readIndex(): Promise<MiniSearch<Part>> {
  return (index ??= fetch(document.body.dataset['search'] ?? '')
    .then((response) => response.text())
    .then((text) => MiniSearch.loadJSON(text, searchOptions)))
}

async function answer(field: Field): Promise<void> {
  const { input, list, output } = field
  const typed = input.value.trim()
  const found = typed === '' ? [] : (await readIndex()).search(typed)
  if (input.value.trim() !== typed) return // the reader has typed on
  list.replaceChildren(...found.slice(0, SHOWN_MAX).map(option))
  output.textContent = typed === '' ? '' : `${found.length} found`
  if (typed !== '' && found.length === 0) list.replaceChildren(nothing(typed))
  show(field, typed !== '')
}

function option({ id, page, part }: SearchResult, at: number): HTMLElement {
  const link = document.createElement('a')
  link.href = `${document.body.dataset['root']}/${id}`
  link.id = `found-${at}`
  link.role = 'option'
  link.tabIndex = -1
  link.ariaSelected = 'false'
  link.append(part === '' ? page : part)
  if (part !== '') {
    const place = document.createElement('small')
    place.textContent = page
    link.append(place)
  }
  return link
}

function nothing(typed: string): HTMLElement {
  const line = document.createElement('div')
  line.role = 'option'
  line.ariaDisabled = 'true'
  line.textContent = `Nothing about “${typed}”. Try fewer letters, or one word.`
  return line
}

function press(event: KeyboardEvent, field: Field): void {
  const { input, list } = field
  const links = [...list.querySelectorAll('a')]
  const at = links.findIndex((link) => link.ariaSelected === 'true')
  if (event.key === 'Escape') return close(field)
  if (event.key === 'Enter') {
    event.preventDefault()
    return links[Math.max(at, 0)]?.click()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || links.length === 0) return
  event.preventDefault()
  const next = (at + step + links.length) % links.length
  for (const [number, link] of links.entries()) link.ariaSelected = String(number === next)
  input.setAttribute('aria-activedescendant', `found-${next}`)
  links[next]?.scrollIntoView({ block: 'nearest' })
}

function show({ input, list }: Field, isShown: boolean): void {
  list.hidden = !isShown
  input.setAttribute('aria-expanded', String(isShown))
  input.removeAttribute('aria-activedescendant')
}

function close(field: Field): void {
  show(field, false)
}
