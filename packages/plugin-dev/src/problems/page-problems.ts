import { SourceMap } from 'node:module'
import type { Problem } from '@tillwright/plugin-build'
import type { ViteDevServer } from 'vite'
import { MODULES_PATH, type PageError, type PolicyViolation } from '../protocol.ts'
import { shownPath } from './source-lines.ts'

/** Where in the plugin's sources something happened. */
interface SourcePlace {
  /** Relative to the plugin's folder; '' where it is not known. */
  file: string
  line: number
  column: number
}

/** The keys of the manifest's `security`, by the directive that each adds origins to. */
const securityKeys: Readonly<Record<string, 'connect' | 'font' | 'frame'>> = {
  'connect-src': 'connect',
  'font-src': 'font',
  'frame-src': 'frame',
}

/** Fixes for violations that no manifest can allow, by directive and blocked value. The first match counts. */
const violationFixes: readonly { directive: RegExp; blocked: RegExp; fix: string }[] = [
  {
    directive: /^script-src/,
    blocked: /^(?:eval|trusted-types)/,
    fix: 'Take out eval() and what is like it, or the package that needs it: neither runs on a page with a card form.',
  },
  {
    directive: /^script-src/,
    blocked: /^wasm-eval$/,
    fix: 'Do it in JavaScript, or on a server: WebAssembly does not run on a page with a card form.',
  },
  { directive: /^script-src-attr$/, blocked: /./, fix: 'Add the handler in a module, with addEventListener().' },
  { directive: /^script-src/, blocked: /^inline$/, fix: 'Put the script into a module of the plugin.' },
  {
    directive: /^script-src/,
    blocked: /./,
    fix: 'Put the script into the plugin, which serves it from its own host: third-party code does not run on a page with a card form.',
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

/** A violation of the page's policy as a problem, with its fix. */
export function problemOfViolation({ directive, blocked }: PolicyViolation, place: SourcePlace): Problem {
  return {
    code: 'policy-violation',
    severity: 'error',
    ...place,
    pointer: null,
    rule: `The policy of the page does not allow ${attributes[directive] ?? nameOf(blocked)} (${directive}), here as little as when it is published.`,
    fix: originFix(directive, blocked) ?? violationFixes.find(fits(directive, blocked))?.fix ?? 'Do without it.',
  }
}

function fits(directive: string, blocked: string) {
  return (remedy: (typeof violationFixes)[number]) => remedy.directive.test(directive) && remedy.blocked.test(blocked)
}

/** The manifest entry that allows an origin; `null` if none can. */
function originFix(directive: string, blocked: string): string | null {
  const key = securityKeys[directive]
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
  return /^[\w-]+$/.test(blocked) ? (blockedNames[blocked] ?? `${blocked}:`) : 'this'
}

const attributes: Readonly<Record<string, string>> = {
  'style-src-attr': 'a style in an attribute',
  'script-src-attr': 'a handler in an attribute',
}

const blockedNames: Readonly<Record<string, string>> = {
  inline: 'what stands in the document itself',
  eval: 'eval()',
  'wasm-eval': 'WebAssembly',
  self: 'this address',
}

/** The place in the plugin's own sources where an error of a page happened: the first of its stack that is one. */
export async function locateError(modules: ViteDevServer, { message, stack }: PageError): Promise<Problem> {
  return {
    code: 'page-error',
    severity: 'error',
    ...(await firstOwnPlace(modules, stack)),
    pointer: null,
    rule: message,
    fix: 'Correct the code at this place; the page goes on by itself.',
  }
}

/** The problem that a violation of a page's policy is, at the place in the plugin's own sources that wanted it. */
export async function locateViolation(modules: ViteDevServer, violation: PolicyViolation): Promise<Problem> {
  return problemOfViolation(violation, await firstOwnPlace(modules, violation.stack))
}

/** Names no file where nothing in the stack is one of the plugin's. */
async function firstOwnPlace(modules: ViteDevServer, stack: string): Promise<SourcePlace> {
  const { root } = modules.config
  const lines = stack.matchAll(/(?:https?:\/\/[^/\s]+)(\/[^\s)?]+)(?:\?[^\s):]*)?:(\d+):(\d+)/g)
  for (const [, path = '', line = '1', column = '1'] of lines) {
    if (!path.startsWith(MODULES_PATH) || path.includes('/node_modules/') || path.includes('/@vite/')) continue
    const address = `/${path.slice(MODULES_PATH.length)}`
    const module = await modules.environments.client.moduleGraph.getModuleByUrl(address)
    if (module?.file == null || !module.file.startsWith(root)) continue
    const found = originalPlace(module.transformResult?.map, Number(line), Number(column))
    return { file: shownPath(root, module.file), ...(found ?? { line: Number(line), column: Number(column) }) }
  }
  return { file: '', line: 1, column: 1 }
}

function originalPlace(map: unknown, line: number, column: number): { line: number; column: number } | null {
  if (map == null || Object(map)['mappings'] === '') return null
  const payload = map as ConstructorParameters<typeof SourceMap>[0] // Vite keeps source maps of version 3
  const entry = new SourceMap(payload).findEntry(line - 1, column - 1)
  if (!('originalLine' in entry) || entry.originalLine === undefined) return null
  return { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
}
