import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Problem } from '@tillwright/plugin-build'
import type { ViteDevServer } from 'vite'
import { MODULES_PATH, type PageError, type PolicyViolation, type ShownProblem, type StackFrame } from '../protocol.ts'
import { shownPath, showProblem } from './source-lines.ts'

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

/** An error of a page, at the place in the plugin's own sources where it happened: the first of its stack that is one. */
export async function locateError(modules: ViteDevServer, { message, stack }: PageError): Promise<ShownProblem> {
  const calls = await readStack(modules, stack)
  const place = calls.find(({ isOwn }) => isOwn)
  const shown = calls.slice(0, FRAMES_MAX).map(({ isOwn: _, ...frame }) => frame)
  const { file, line, column } = place ?? { file: '', line: 1, column: 1 }
  const fix = place === undefined ? withoutPlace(shown) : 'Correct the code at this place; the page goes on by itself.'
  const said = { code: 'page-error', severity: 'error', pointer: null, rule: message, fix } as const
  const problem = showProblem(modules, { ...said, file, line, column })
  return shown.length > 0 ? { ...problem, stack: shown } : problem
}

const FRAMES_MAX = 10

/** The advice for an error that was not thrown by a line of the plugin. */
function withoutPlace([last]: readonly StackFrame[]): string {
  if (last === undefined) return 'The browser tells no place of it. Look at what was edited last, and into its console.'
  return `No line of the plugin is on its stack. It happened in ${last.file}: look at what the plugin passes to it.`
}

/** The problem that a violation of a page's policy is, at the place in the plugin's own sources that wanted it. */
export async function locateViolation(modules: ViteDevServer, violation: PolicyViolation): Promise<ShownProblem> {
  const calls = await readStack(modules, violation.stack)
  const { file, line, column } = calls.find(({ isOwn }) => isOwn) ?? { file: '', line: 1, column: 1 }
  return showProblem(modules, problemOfViolation(violation, { file, line, column }))
}

/** A call, and whether it is one of the plugin's own. */
type Call = StackFrame & { isOwn: boolean }

/** The calls of a stack as a browser writes it, by source maps at their places in the sources. Vite's own are left out. */
async function readStack(modules: ViteDevServer, stack: string): Promise<Call[]> {
  const lines = stack.split('\n').map((line) => /(https?:\/\/[^/\s]+\/[^\s)]*?):(\d+):(\d+)/.exec(line))
  const calls = lines.map(async (found): Promise<Call[]> => {
    if (found === null) return []
    const [, url = '', line = '1', column = '1'] = found
    const before = found.input.slice(0, found.index)
    const name = /^\s*at (?:async )?(.*?)\s*\($/.exec(before)?.[1] ?? /^(.*)@$/.exec(before)?.[1] ?? ''
    const place = await originalPlace(modules, url, { line: Number(line), column: Number(column) })
    return place === null ? [] : [{ name, ...place }]
  })
  return (await Promise.all(calls)).flat()
}

interface Position {
  line: number
  column: number
}

/** @returns `null` for what is not the plugin's and none of its packages'. */
async function originalPlace(modules: ViteDevServer, url: string, at: Position): Promise<Omit<Call, 'name'> | null> {
  const { root } = modules.config
  const { pathname, search } = new URL(url)
  if (!pathname.startsWith(MODULES_PATH)) return null
  const address = `/${pathname.slice(MODULES_PATH.length)}`
  if (address.startsWith('/@vite/')) return null
  const { moduleGraph } = modules.environments.client
  const query = search.replace(/([?&])t=\d+&?/, '$1').replace(/[?&]$/, '')
  const module = (await moduleGraph.getModuleByUrl(address + query)) ?? (await moduleGraph.getModuleByUrl(address))
  if (module?.file == null || module.file.startsWith(clientFolder)) return null
  const found = { ...at, ...mappedPosition(module.transformResult?.map, at) }
  const isOwn = module.file.startsWith(`${root}/`) && !/\/(?:node_modules|\.tillwright)\//.test(module.file)
  return { file: isOwn ? shownPath(root, module.file) : packageName(module.file), ...found, isOwn }
}

/** The modules of this client, whose part in a stack is no author's. */
const clientFolder = fileURLToPath(new URL('../client/', import.meta.url)).replaceAll('\\', '/')

/** `preact/hooks` for a prepared package; for others the end of the path. */
function packageName(file: string): string {
  const [, prepared] = /\/vite\/deps\/(.+?)\.js$/.exec(file) ?? []
  if (prepared !== undefined) return prepared.replaceAll('_', '/')
  return file.split('/node_modules/').at(-1)?.split('/').slice(-3).join('/') ?? file
}

function mappedPosition(map: unknown, { line, column }: Position): Position | null {
  if (map == null || Object(map)['mappings'] === '') return null
  const payload = map as ConstructorParameters<typeof SourceMap>[0] // Vite keeps source maps of version 3
  const entry = new SourceMap(payload).findEntry(line - 1, column - 1)
  if (!('originalLine' in entry) || entry.originalLine === undefined) return null
  return { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
}
