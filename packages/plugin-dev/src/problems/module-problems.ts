import { isAbsolute, relative, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Problem } from '@tillwright/plugin-build'
import type { ViteDevServer } from 'vite'

/** The modules that cannot be served at the moment. */
export interface ModuleProblems {
  /** Tries the broken ones again, after something has changed. */
  recheck: () => Promise<void>
}

/**
 * Collects the errors of modules. Vite shows pages only the latest one; here each stays until its module can be served
 * again.
 *
 * @param changed Called with all errors whenever they change.
 */
export function moduleProblems(
  modules: ViteDevServer,
  changed: (problems: readonly Problem[]) => void,
): ModuleProblems {
  const { root } = modules.config
  const client = modules.environments.client
  const broken = new Map<string, Problem>()
  const accepting = new Set<string>()
  const send = client.hot.send.bind(client.hot)
  const note = (id: string, problem: Problem | null) => {
    if (problem === null) broken.delete(id)
    else broken.set(id, problem)
    changed([...broken.values()])
  }
  // The first argument distinguishes its two forms: a payload, or a name with data.
  client.hot.send = (...sent: unknown[]) => {
    const [payload] = sent as [Payload | string]
    if (typeof payload !== 'string' && payload.type === 'error' && payload.err !== undefined) {
      const { id = payload.err.loc?.file ?? '' } = payload.err
      stayAccepting(id)
      return note(id, problemOfError(root, payload.err))
    }
    if (typeof payload !== 'string') noteAccepting(payload)
    return send(...(sent as Parameters<typeof send>))
  }

  function noteAccepting({ updates = [] }: Payload): void {
    for (const { path, acceptedPath } of updates) if (path === acceptedPath) accepting.add(path)
  }

  /** Vite treats a module with unresolved imports as not self-accepting, and would reload pages once it is fixed. */
  function stayAccepting(id: string): void {
    const module = client.moduleGraph.getModuleById(id)
    if (module !== undefined && accepting.has(module.url)) module.isSelfAccepting = true
  }

  async function tryAgain(id: string): Promise<void> {
    const address = client.moduleGraph.getModuleById(id)?.url ?? `/@fs/${id.replace(/^\//, '')}`
    try {
      await client.transformRequest(address)
      note(id, null)
    } catch (error) {
      stayAccepting(id)
      note(id, problemOfError(root, { id, ...(error as ModuleError), message: String(Object(error).message) }))
    }
  }

  return {
    async recheck() {
      await Promise.all([...broken.keys()].map(tryAgain))
    },
  }
}

/** The parts of Vite's payloads that matter here. */
interface Payload {
  type?: unknown
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
    fix: remedy?.fix ?? 'Correct the code at this place.',
  }
}

/** Relative to the plugin's folder where it lies in it. */
export function shownPath(root: string, path: string): string {
  const below = isAbsolute(path) ? relative(root, path) : path
  return (below.startsWith('..') ? path : below).split(sep).join('/')
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
