import type { Problem } from '@tillwright/plugin-build'
import { takesCard } from '@tillwright/plugin-build/takes-card'
import type { PolicyViolation } from '../protocol.ts'

/** A violation as the browser reports it. Source: CSP Level 3, "Violation DOM events" and "Reporting". */
interface ViolationReport {
  readonly disposition: string
  readonly effectiveDirective: string
  readonly sourceFile?: string | null
  readonly lineNumber?: number | null
  readonly columnNumber?: number | null
}

/** Reports each violation once, including those from before this module ran if the browser buffers them. */
export function watchViolations(report: (violation: PolicyViolation) => void): void {
  const known = new Set<string>()
  const callers = rememberCallers()
  const take = (violation: ViolationReport, blocked: string) => {
    const { sourceFile, lineNumber, columnNumber } = violation
    const file = sourceFile ?? ''
    // Violations of browser extensions are not the plugin's.
    if (violation.disposition !== 'enforce' || /^[\w-]+-extension\b/.test(file)) return
    const place = `${file}:${lineNumber ?? 1}:${columnNumber ?? 1}`
    const said = [violation.effectiveDirective, blocked, place].join(' ')
    if (known.has(said)) return
    known.add(said)
    report({ directive: violation.effectiveDirective, blocked, stack: `${place}\n${callers.get(blocked) ?? ''}` })
  }
  document.addEventListener('securitypolicyviolation', (event) => take(event, event.blockedURI))
  if (typeof ReportingObserver === 'undefined') return
  const observer = new ReportingObserver(
    (reports) => {
      for (const { body } of reports) if (isOfPolicy(body)) take(body, body.blockedURL ?? '')
    },
    { types: ['csp-violation'], buffered: true },
  )
  observer.observe()
}

/** So many addresses are remembered. */
const CALLERS_MAX = 100

/** The stacks of calls of `fetch`, by address: a browser reports only the nearest script, which may be a wrapper. */
function rememberCallers(): Map<string, string> {
  const callers = new Map<string, string>()
  const send = window.fetch.bind(window)
  window.fetch = (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input, location.href)
    callers.set(href.replace(/#.*/, ''), new Error('a fetch').stack ?? '')
    if (callers.size > CALLERS_MAX) callers.delete(callers.keys().next().value ?? '')
    return send(input, init)
  }
  return callers
}

function isOfPolicy(
  body: object | null | undefined,
): body is ViolationReport & { readonly blockedURL?: string | null } {
  return body != null && 'effectiveDirective' in body
}

export interface PageFailure {
  message: string
  stack: string
}

/** Whether the page could not even begin, so that nothing in it can take over a change. */
export interface StartState {
  failed: boolean
}

/** Reports uncaught errors, and tracks whether the page could start. */
export function watchErrors(report: (failure: PageFailure) => void): StartState {
  const start: StartState = { failed: false }
  let begun = false
  window.addEventListener('load', () => (begun = true))
  addEventListener(
    'error',
    (event) => {
      if (event.target instanceof HTMLScriptElement) start.failed = true // its module, or one that it imports
      if (!(event instanceof ErrorEvent) || event.message.includes('ResizeObserver loop')) return
      if (!begun) start.failed = true
      report(withPlace(failureOf(event.error ?? event.message), event))
    },
    true,
  )
  addEventListener('unhandledrejection', ({ reason }) => {
    // A module that cannot be loaded is reported by the server, with its place.
    if (isOfModule(reason)) start.failed = true
    else report(failureOf(reason))
  })
  return start
}

/** Whether the page goes on without an error. */
export interface CalmWatch {
  /** It is about to be updated, or to begin again: what went wrong before counts no more. */
  renew: () => void
  /** It has begun, or was updated. */
  begin: () => void
  /** Something went wrong. */
  disturb: () => void
}

/** @param calmed Called once so much time has passed since the page began, and nothing has gone wrong in it. */
export function watchCalm(afterMs: number, calmed: () => void): CalmWatch {
  let isDisturbed = false
  let waiting = 0
  return {
    renew() {
      isDisturbed = false
      window.clearTimeout(waiting)
    },
    begin() {
      window.clearTimeout(waiting)
      waiting = window.setTimeout(() => isDisturbed || calmed(), afterMs)
    },
    disturb: () => void (isDisturbed = true),
  }
}

/** Errors of parsing and linking have their place in the event alone. */
function withPlace({ message, stack }: PageFailure, { filename, lineno, colno }: ErrorEvent): PageFailure {
  return stack.includes(filename) || filename === ''
    ? { message, stack }
    : { message, stack: `${stack}\n    at ${filename}:${lineno}:${colno}` }
}

/** An error, as the server gets it. */
export function failureOf(error: unknown): PageFailure {
  if (error instanceof Error) return { message: `${error.name}: ${error.message}`, stack: error.stack ?? '' }
  return { message: String(error), stack: '' }
}

/** Whether a module could not be loaded, which the server reports with its place. */
export function isOfModule(reason: unknown): boolean {
  return reason instanceof TypeError && /dynamically imported module|module script/i.test(reason.message)
}

/** The attributes that identify a card field. */
const attributeNames = ['name', 'id', 'type', 'placeholder', 'title', 'autocomplete', 'aria-label'] as const

/**
 * Watches the page for inputs into which a card could be typed, as a build looks for them in what it has built; here with
 * the attributes that are only known when the page runs.
 */
export function watchCardFields(found: (problems: Problem[]) => void): void {
  let reported = ''
  const look = () => {
    const fields = [...document.querySelectorAll('input, textarea')].filter((field) => takesCard(attributesOf(field)))
    const problems = fields.map(problemOf)
    if (JSON.stringify(problems) === reported) return
    reported = JSON.stringify(problems)
    found(problems)
  }
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: [...attributeNames],
  })
  look()
}

function attributesOf(field: Element): Map<string, string> {
  const labels = field instanceof HTMLInputElement ? [...(field.labels ?? [])] : []
  const label = labels.map(({ textContent }) => textContent.trim()).join(' ')
  const pairs = attributeNames.map((name) => [name, field.getAttribute(name) ?? ''] as const)
  const said = new Map(pairs)
  // A sentence in a label is no name; a short one is what is asked for.
  if (said.get('aria-label') === '' && label.length <= LABEL_MAX_CHARS) said.set('aria-label', label)
  return said
}

/** `Credit card number`, `Numéro de la carte`; a sentence about cards is longer. */
const LABEL_MAX_CHARS = 20

function problemOf(field: Element): Problem {
  const shown = field.outerHTML.replace(/\svalue="[^"]*"/, '').slice(0, 120)
  return {
    code: 'card-field',
    severity: 'error',
    file: '',
    line: 1,
    column: 1,
    pointer: null,
    rule: `No input of a page may take a card number, a security code or an expiry date: ${shown}`,
    fix: 'Mount the card form of @tillwright/checkout: card numbers are typed into its frame alone.',
  }
}
