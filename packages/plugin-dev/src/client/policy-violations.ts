/** Something that the policy of the page did not let happen. */
export interface PolicyViolation {
  /** As in `Content-Security-Policy`: `connect-src`, `style-src-elem`. */
  directive: string
  /** What was not let through: an address, or a word such as `inline`. */
  blocked: string
  /** Who wanted it, as in an error: places in scripts, the nearest first; '' where nobody knows. */
  stack: string
}

/** What a browser tells, as an event or as a report. Source: CSP Level 3, "Violation DOM events" and "Reporting". */
interface Told {
  readonly disposition: string
  readonly effectiveDirective: string
  readonly sourceFile?: string | null
  readonly lineNumber?: number | null
  readonly columnNumber?: number | null
}

/** Tells of each violation once, also of those from before this module ran where the browser has kept them. */
export function watchViolations(report: (violation: PolicyViolation) => void): void {
  const known = new Set<string>()
  const callers = rememberCallers()
  const take = (told: Told, blocked: string) => {
    const { sourceFile, lineNumber, columnNumber } = told
    const file = sourceFile ?? ''
    // What extensions put into pages is none of the plugin's doing.
    if (told.disposition !== 'enforce' || /^[\w-]+-extension\b/.test(file)) return
    const place = `${file}:${lineNumber ?? 1}:${columnNumber ?? 1}`
    const said = [told.effectiveDirective, blocked, place].join(' ')
    if (known.has(said)) return
    known.add(said)
    report({ directive: told.effectiveDirective, blocked, stack: `${place}\n${callers.get(blocked) ?? ''}` })
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

/** Who has called `fetch`, by address: a browser names the nearest script alone, and that may be one that stands in between. */
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

function isOfPolicy(body: object | null | undefined): body is Told & { readonly blockedURL?: string | null } {
  return body != null && 'effectiveDirective' in body
}
