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
  const send = client.hot.send.bind(client.hot)
  const note = (id: string, problem: Problem | null) => {
    if (problem === null) broken.delete(id)
    else broken.set(id, problem)
    changed([...broken.values()])
  }
  // Its two forms, of a payload and of a name with data, are told apart by their first argument alone.
  client.hot.send = (...sent: unknown[]) => {
    const [payload] = sent as [{ type?: unknown; err?: ModuleError } | string]
    if (typeof payload !== 'string' && payload.type === 'error' && payload.err !== undefined) {
      const { id = payload.err.loc?.file ?? '' } = payload.err
      return note(id, problemOfError(root, payload.err))
    }
    return send(...(sent as Parameters<typeof send>))
  }

  async function tryAgain(id: string): Promise<void> {
    const address = client.moduleGraph.getModuleById(id)?.url ?? `/@fs/${id.replace(/^\//, '')}`
    try {
      await client.transformRequest(address)
      note(id, null)
    } catch (error) {
      note(id, problemOfError(root, { id, ...(error as ModuleError), message: String(Object(error).message) }))
    }
  }

  return {
    async recheck() {
      await Promise.all([...broken.keys()].map(tryAgain))
    },
  }
}
