import { chown, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedUser } from './postgres-binaries.ts'

/** A certificate with its key, and the lines of `pg_hba.conf`: who is let in from where, and how. */
export interface PostgresTls {
  cert: string
  key: string
  rules: string
}

/** Settings of a server with TLS, whose files its own user alone may read, as it asks of them. */
export async function postgresTls({ cert, key, rules }: PostgresTls): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'server-files-'))
  const user = process.getuid?.() === 0 ? unprivilegedUser() : null
  if (user !== null) await chown(folder, user.uid, user.gid)
  for (const [name, text] of Object.entries({ 'cert.pem': cert, 'key.pem': key, 'pg_hba.conf': rules })) {
    await writeFile(join(folder, name), text, { mode: 0o600 })
    if (user !== null) await chown(join(folder, name), user.uid, user.gid)
  }
  return {
    ssl: 'on',
    ssl_cert_file: join(folder, 'cert.pem'),
    ssl_key_file: join(folder, 'key.pem'),
    hba_file: join(folder, 'pg_hba.conf'),
  }
}
