import type { Problem } from '@tillwright/plugin-build'
import type { ViteDevServer } from 'vite'
import { problemOfError, type ModuleError } from './problem-of-error.ts'

/** The modules that cannot be served at the moment. */
export interface ModuleProblems {
  /** Tries the broken ones again, after something has changed. */
  recheck: () => Promise<void>
}

/**
 * Collects the errors of modules, which Vite tells to pages one by one, each wiping out the one before. Here each stays until
 * its module can be served again.
 *
 * @param changed Is told all of them whenever they are others.
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
  // Its two forms, of a payload and of a name with data, are told apart by their first argument alone.
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

  /** Vite takes a module whose imports are not there for one that accepts nothing, and would load pages again to mend it. */
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

/** What Vite sends, as far as it matters here. */
interface Payload {
  type?: unknown
  err?: ModuleError
  updates?: readonly { path: string; acceptedPath: string }[]
}
