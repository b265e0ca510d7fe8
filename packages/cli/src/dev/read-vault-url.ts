import { CommandFailed } from '../terminal/fail-with.ts'

/**
 * The origin of a platform's vault, as the platform's own description of its API has it.
 *
 * @throws {CommandFailed} When it says nothing of it.
 */
export async function readVaultUrl(apiUrl: string): Promise<string> {
  const response = await fetch(`${apiUrl}/openapi.json`, { redirect: 'error' }).catch((error: unknown) => {
    throw new CommandFailed(`${apiUrl} could not be reached (${String(Object(error).message)}).`, 'network')
  })
  const { paths = {} }: { paths?: Record<string, unknown> } = Object(await response.json().catch(() => null))
  const ofVault = Object.entries(paths).filter(([path]) => path.startsWith('/api/vault/'))
  const [url] = ofVault.flatMap(([, path]) => serversIn(path)).filter((each) => new URL(each).origin !== apiUrl)
  if (url !== undefined) return new URL(url).origin
  throw new CommandFailed(`${apiUrl} does not say where its vault is; is it a platform of Tillwright?`)
}

/** The addresses that stand beside a path or one of its operations. */
function serversIn(path: unknown): string[] {
  const places = [path, ...Object.values(Object(path))]
  return places.flatMap((place) => {
    const servers: unknown = Object(place)['servers']
    return Array.isArray(servers) ? servers.map((server) => String(Object(server)['url'])) : []
  })
}
