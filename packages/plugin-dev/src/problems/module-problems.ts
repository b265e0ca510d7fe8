import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Problem } from '@tillwright/plugin-build'
import type { EnvironmentModuleNode, ViteDevServer } from 'vite'
import { missingExports } from './missing-exports.ts'
import { shownPath } from './source-lines.ts'

/** The modules that cannot be served at the moment. */
export interface ModuleProblems {
  /** Tries the broken ones again, after something has changed. */
  recheck: () => Promise<void>
  /** Looks for imports of what their modules do not export, in all that pages have asked for. */
  check: () => Promise<void>
  /** Whether a name is imported that there is not; browsers tell no place of it. */
  areLinked: () => boolean
}

/** Callbacks of the modules. */
export interface ModuleListener {
  /** The entries of pages, relative to the plugin's folder. */
  entries: () => readonly string[]
  /** Called with all errors whenever they change. */
  changed: (problems: readonly Problem[]) => void
  /** Modules have changed that no module accepts, and can be served: pages are to begin again. */
  restart: () => void
}

/**
 * Collects the errors of modules. Vite shows pages only the latest one; here each stays until its module can be served
 * again. An import of a name that its module does not export is one as well: browsers leave the old page as it is, and
 * say nothing of it but to the console.
 */
export function moduleProblems(modules: ViteDevServer, listener: ModuleListener): ModuleProblems {
  const { root } = modules.config
  const client = modules.environments.client
  const board = moduleBoard(listener)
  const accepting = acceptingModules(client)
  const send = client.hot.send.bind(client.hot)
  const note = (id: string, error: ModuleError) => {
    accepting.stay(id)
    board.note(id, problemOfError(root, error))
  }
  const noteThrown = (id: string, error: unknown) =>
    note(id, { id, ...(error as ModuleError), message: String(Object(error).message) })
  // One look at a time: one that began before a change must not have the last word after it.
  let looking: Promise<void> = Promise.resolve()
  const inTurn = (look: () => Promise<void>) => (looking = looking.then(look, look))

  // The first argument distinguishes its two forms: a payload, or a name with data.
  client.hot.send = (...sent: unknown[]) => {
    const [payload] = sent as [Payload | string]
    if (typeof payload === 'string') return send(...(sent as Parameters<typeof send>))
    if (payload.type === 'error' && payload.err !== undefined) {
      const id = payload.err.id ?? payload.err.loc?.file ?? ''
      note(id, payload.err)
      // A page may have asked for it before it was changed.
      if (id !== '') void inTurn(() => tryAgain(id))
      return
    }
    // One without it is Vite's own wish, for packages that it has prepared anew.
    if (payload.type === 'full-reload' && payload.triggeredBy !== undefined) {
      board.wantRestart()
      return void inTurn(check)
    }
    accepting.note(payload)
    if (payload.type === 'update') setImmediate(() => void inTurn(check))
    return send(...(sent as Parameters<typeof send>))
  }

  async function tryAgain(id: string): Promise<void> {
    const address = client.moduleGraph.getModuleById(id)?.url ?? `/@fs/${id.replace(/^\//, '')}`
    try {
      await client.transformRequest(address)
      board.note(id, null)
    } catch (error) {
      noteThrown(id, error)
    }
  }

  async function check(): Promise<void> {
    const served = await servedModules(modules, {
      entries: listener.entries(),
      failed: noteThrown,
      sound: (id) => board.broken().includes(id) && board.note(id, null),
    })
    // A page may have asked for a file that was gone before what imports it was changed.
    const reached = new Set(served.map(({ id }) => id))
    for (const id of board.broken()) if (!reached.has(id) && isGone(id)) board.note(id, null)
    board.link(missingExports(modules, served))
  }

  return {
    recheck: () => inTurn(async () => void (await Promise.all(board.broken().map(tryAgain)))),
    check: () => inTurn(check),
    areLinked: board.areLinked,
  }
}

/** Collects the errors of modules, and has pages begin again as soon as there are none. */
function moduleBoard({ changed, restart }: ModuleListener) {
  const broken = new Map<string, Problem>()
  let unlinked: readonly Problem[] = []
  let isRestartWanted = false
  const tell = () => {
    changed([...broken.values(), ...unlinked])
    if (!isRestartWanted || broken.size + unlinked.length > 0) return
    isRestartWanted = false
    restart()
  }
  return {
    broken: () => [...broken.keys()],
    areLinked: () => unlinked.length === 0,
    wantRestart: () => void (isRestartWanted = true),
    note(id: string, problem: Problem | null) {
      if (problem === null) broken.delete(id)
      else broken.set(id, problem)
      tell()
    },
    link(problems: readonly Problem[]) {
      unlinked = problems
      tell()
    },
  }
}

/** Vite treats a module with unresolved imports as not self-accepting, and would reload pages once it is fixed. */
function acceptingModules({ moduleGraph }: ViteDevServer['environments']['client']) {
  const accepting = new Set<string>()
  return {
    note({ updates = [] }: Payload) {
      for (const { path, acceptedPath } of updates) if (path === acceptedPath) accepting.add(path)
    },
    stay(id: string) {
      const module = moduleGraph.getModuleById(id)
      if (module !== undefined && accepting.has(module.url)) module.isSelfAccepting = true
    },
  }
}

/** Modules to look through. */
interface Served {
  entries: readonly string[]
  failed: (id: string, error: unknown) => void
  sound: (id: string) => void
}

/** The modules of the plugin that pages have asked for, with all that they import, each of them transformed if it can be. */
async function servedModules(
  { config: { root }, environments }: ViteDevServer,
  { entries, failed, sound }: Served,
): Promise<EnvironmentModuleNode[]> {
  const { moduleGraph } = environments.client
  const isOwn = ({ file }: EnvironmentModuleNode) =>
    file !== null && isBelow(root, file) && !/\/(?:node_modules|\.tillwright)\//.test(file)
  const known = entries.flatMap((entry) => [...(moduleGraph.getModulesByFile(`${root}/${entry}`) ?? [])])
  const seen = new Set(known) // walked to its end, also while it grows
  for (const node of seen) {
    try {
      await environments.client.transformRequest(node.url)
      sound(node.id ?? '')
    } catch (error) {
      failed(node.id ?? '', error)
      continue // what it imported before may be gone
    }
    for (const imported of node.importedModules) if (isOwn(imported)) seen.add(imported)
  }
  return [...seen]
}

function isGone(id: string): boolean {
  return isAbsolute(id) && !existsSync(id.replace(/\?.*$/, ''))
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(`${root.replace(/\/$/, '')}/`)
}

/** The parts of Vite's payloads that matter here. */
interface Payload {
  type?: unknown
  /** The changed file for which pages are to be loaded again. */
  triggeredBy?: string | undefined
  err?: ModuleError
  updates?: readonly { path: string; acceptedPath: string }[]
}

/** An error of Vite or its plugins about a module. */
interface ModuleError {
  message: string
  /** The module, perhaps with a query. */
  id?: string | undefined
  loc?: { file?: string | undefined; line?: number | null | undefined; column?: number | null | undefined } | undefined
}

/** Fixes for errors, by their text. The first match counts. */
const remedies: readonly { says: RegExp; code: string; fix: string }[] = [
  {
    says: /Failed to resolve import|Could not resolve|does the file exist/,
    code: 'unresolved-import',
    fix: 'Correct the path, or install the package that it names.',
  },
  { says: /Failed to load url|ENOENT/, code: 'missing-module', fix: 'Write the file, or take out what imports it.' },
  {
    says: /Unexpected|Expected|Unterminated|PARSE_ERROR|parse|syntax/i,
    code: 'syntax-error',
    fix: 'Correct the syntax at this place.',
  },
]

/** An error of a module, at its place in the plugin. */
function problemOfError(root: string, error: ModuleError): Problem {
  const message = plain(error.message)
  const remedy = remedies.find(({ says }) => says.test(message))
  const [, line = 1, column = 1] = /\[ ?[^\]\n]+:(\d+):(\d+) ?\]/.exec(message) ?? []
  const { loc } = error
  const file = loc?.file ?? error.id ?? ''
  return {
    code: remedy?.code ?? 'build-failed',
    severity: 'error',
    file: shownPath(root, file.replace(/\?.*$/, '')),
    line: loc?.line ?? Number(line),
    column: loc?.line == null ? Number(column) : (loc.column ?? 0) + 1,
    pointer: null,
    rule: sentence(message),
    fix:
      remedy?.fix ??
      (file === '' ? 'Look at what was edited last: no place is known.' : 'Correct the code at this place.'),
  }
}

/** The first meaningful line, without colours and plugin names. */
function sentence(message: string): string {
  const lines = message.split('\n').map((line) => line.replace(/^\s*(?:\[[\w:@/.-]+\]\s*)+/, '').trim())
  const first =
    lines.find((line) => /\p{L}/u.test(line) && !/^(?:Build|Transform) failed/.test(line)) ?? 'It cannot be built'
  const words = first.replace(/^Error:\s*/, '').replace(/ from "[^"]*"\. Does the file exist\?$/, '')
  return /[.!?]$/.test(words) ? words : `${words}.`
}

function plain(text: string): string {
  return stripVTControlCharacters(text)
}
