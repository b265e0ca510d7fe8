import type { Problem } from '@tillwright/plugin-build'
import type { PolicyViolation } from '../client/policy-violations.ts'

/** Where in the plugin's sources something happened. */
export interface SourcePlace {
  /** Relative to the plugin's folder; '' where it is not known. */
  file: string
  line: number
  column: number
}

/** The keys of the manifest's `security`, by the directive that each adds origins to. */
const keys: Readonly<Record<string, 'connect' | 'font' | 'frame'>> = {
  'connect-src': 'connect',
  'font-src': 'font',
  'frame-src': 'frame',
}

/** What to do about what no manifest can allow, by directive and by what was blocked. The first that fits counts. */
const remedies: readonly { directive: RegExp; blocked: RegExp; fix: string }[] = [
  {
    directive: /^script-src/,
    blocked: /^(?:eval|trusted-types)/,
    fix: 'Take out eval() and what is like it, or the package that needs it: neither runs beside a card form.',
  },
  {
    directive: /^script-src/,
    blocked: /^wasm-eval$/,
    fix: 'Do it in JavaScript, or on a server: WebAssembly does not run beside a card form.',
  },
  { directive: /^script-src-attr$/, blocked: /./, fix: 'Add the handler in a module, with addEventListener().' },
  { directive: /^script-src/, blocked: /^inline$/, fix: 'Put the script into a module of the plugin.' },
  {
    directive: /^script-src/,
    blocked: /./,
    fix: 'Put the script into the plugin, which serves it from its own host: code of others does not run beside a card form.',
  },
  {
    directive: /^style-src-attr$/,
    blocked: /./,
    fix: 'Write it in a style sheet, or set it in a module through element.style.',
  },
  { directive: /^style-src/, blocked: /^inline$/, fix: 'Import the style in a module, or use adoptedStyleSheets.' },
  { directive: /^style-src/, blocked: /./, fix: 'Put the style sheet into the plugin, and import it in a module.' },
  { directive: /^worker-src$/, blocked: /./, fix: 'Make it of a module: new Worker(new URL(..., import.meta.url)).' },
  { directive: /^(?:img|media)-src$/, blocked: /^http:/, fix: 'Take it from an address with https.' },
  {
    directive: /^(?:img|media)-src$/,
    blocked: /./,
    fix: 'Show it from a file of the plugin, or from an https address.',
  },
  { directive: /^form-action$/, blocked: /./, fix: 'Send it with fetch(), and name the origin in "security.connect".' },
]

/** A violation of the page's policy, with what would mend it. */
export function problemOfViolation({ directive, blocked }: PolicyViolation, place: SourcePlace): Problem {
  return {
    code: 'policy-violation',
    severity: 'error',
    ...place,
    pointer: null,
    rule: `The policy of the page does not allow ${attributes[directive] ?? nameOf(blocked)} (${directive}), here as little as when it is published.`,
    fix: originFix(directive, blocked) ?? remedies.find(fits(directive, blocked))?.fix ?? 'Do without it.',
  }
}

function fits(directive: string, blocked: string) {
  return (remedy: (typeof remedies)[number]) => remedy.directive.test(directive) && remedy.blocked.test(blocked)
}

/** How the manifest allows an origin; `null` where it cannot. */
function originFix(directive: string, blocked: string): string | null {
  const key = keys[directive]
  const url = URL.parse(blocked)
  if (key === undefined || url === null || !/^(?:https?|wss?):$/.test(url.protocol)) return null
  if (url.protocol !== 'https:') return 'Use an address with https, and name its origin in "security" of the manifest.'
  return `Name its origin in plugin.manifest.json: "security": { "${key}": ["${url.origin}"] }.`
}

/** An address without its query, which may be about a person. */
function nameOf(blocked: string): string {
  const url = URL.parse(blocked)
  if (url !== null && url.host !== '')
    return url.origin === 'null' ? blocked : url.origin + url.pathname.replace(/^\/$/, '')
  return /^[\w-]+$/.test(blocked) ? (words[blocked] ?? `${blocked}:`) : 'this'
}

const attributes: Readonly<Record<string, string>> = {
  'style-src-attr': 'a style in an attribute',
  'script-src-attr': 'a handler in an attribute',
}

const words: Readonly<Record<string, string>> = {
  inline: 'what stands in the document itself',
  eval: 'eval()',
  'wasm-eval': 'WebAssembly',
  self: 'this address',
}
