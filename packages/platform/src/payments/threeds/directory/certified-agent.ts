import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Parts } from '../../../call.ts'
import type { DirectorySettings } from './directory-settings.ts'

/** How often the files are read again: a certificate that was replaced is used within this time. */
const READ_EVERY_MS = 60_000

interface Opened {
  agent: Agent
  /** SHA-256 over what the files held. */
  fingerprint: string
  readAtMs: number
}

/**
 * The connections to a provider's directory servers, with what its files hold at the moment. Files that cannot be read,
 * or do not fit together because one of them is just being replaced, leave those of before in use.
 *
 * @returns Answers the agent; rejects when the files were never good.
 */
export function certifiedAgent(
  settings: DirectorySettings,
  { clock, log }: Pick<Parts, 'clock' | 'log'>,
): () => Promise<Agent> {
  let opened: Opened | null = null
  let looking: Promise<Opened> | null = null

  async function look(): Promise<Opened> {
    const readAtMs = clock.now()
    try {
      const certificates = await readCertificates(settings)
      const fingerprint = hash('sha256', Buffer.concat(Object.values(certificates)))
      if (opened?.fingerprint === fingerprint) return { ...opened, readAtMs }
      createSecureContext(certificates)
      if (opened !== null) retire(opened.agent)
      return { agent: new Agent({ keepAlive: true, minVersion: 'TLSv1.2', ...certificates }), fingerprint, readAtMs }
    } catch (error) {
      if (opened === null) throw error
      log.warn({ err: error }, 'the certificates of a 3-D Secure provider cannot be used; those of before stay in use')
      return { ...opened, readAtMs }
    }
  }

  return async () => {
    if (opened !== null && clock.now() - opened.readAtMs < READ_EVERY_MS) return opened.agent
    looking ??= look().finally(() => (looking = null))
    opened = await looking
    return opened.agent
  }
}

/** What the files of a provider's settings hold. */
export async function readCertificates({ clientCertificate, clientKey, authorities }: DirectorySettings) {
  const read = async (path: string | null) => (path === null ? undefined : readFile(path))
  const [cert, key, ca] = await Promise.all([read(clientCertificate), read(clientKey), read(authorities)])
  return { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) }
}

/** Requests that are under way end as they would have; nothing is kept open for others. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0
  for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy()
}
