import { createServer } from 'node:net'
import type { Config, LocalFile } from '@tillwright/platform'
import { fail, ok, warn, type Finding } from './finding.ts'

const ANSWER_MS = 5_000

/** Whether the local platform answers, if one runs, and whether another could have its ports, if none does. */
export async function checkLocal(local: LocalFile | null, config: Config): Promise<Finding[]> {
  if (local === null) return [ok('no local platform runs here'), ...(await checkPorts(config))]
  const { apiUrl, vaultUrl, pid } = local
  return Promise.all(
    [apiUrl, vaultUrl].map(async (url) => {
      if (await answers(url)) return ok(`the local platform answers at ${url}`)
      const fix = `stop process ${pid}, if it is there, and start anew with "tillwright start"`
      return fail(`the local platform says that it is at ${url}, and nobody answers there`, fix)
    }),
  )
}

/** Any answer will do: the origins have pages of their own. */
async function answers(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  )
}

async function checkPorts({ host, port, vaultPort }: Config): Promise<Finding[]> {
  const wanted = [
    [port, 'TILLWRIGHT_PORT'],
    [vaultPort, 'TILLWRIGHT_VAULT_PORT'],
  ] as const
  return Promise.all(wanted.map(async ([each, name]) => checkPort(host, { port: each, name })))
}

async function checkPort(host: string, { port, name }: { port: number; name: string }): Promise<Finding> {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
  if (error === null) return ok(port === 0 ? `any free port (${name})` : `port ${port} is free`)
  const fix = `"tillwright start" takes the next one that is free; name another with ${name} to have it stay the same`
  return warn(`port ${port} cannot be had (${error.code})`, fix)
}
