import { execFile } from 'node:child_process'
import { readFile, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Entry } from './tar.ts'

const run = promisify(execFile)

/** The user that containers run as, and what it may write: its home, for a platform without PostgreSQL and object storage. */
export const USER = 65_532
export const HOME = '/var/lib/tillwright'

/** A Debian package of which the image has files. */
export interface DebianPackage {
  name: string
  version: string
  architecture: string
  files: readonly string[]
}

/** The part of the image that is not JavaScript. */
export interface SystemFiles {
  entries: Entry[]
  packages: DebianPackage[]
}

/** Loaded by name while a program runs, so that `ldd` does not see them: names of hosts in files and in DNS. */
const nameService = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2']

/**
 * Everything that a `node` program needs from a Linux: its shared libraries, from the Debian packages of this machine, with
 * their licenses; the user; empty folders. No shell, no package manager.
 *
 * @throws Where this machine is no Debian or one of its children.
 */
export async function systemFiles(node: string): Promise<SystemFiles> {
  const libraries = await librariesOf(node)
  const packages = new Map<string, DebianPackage>()
  const entries: Entry[] = []
  for (const path of libraries) {
    const { name, version, architecture } = await ownerOf(path)
    const known = packages.get(name)
    packages.set(name, { name, version, architecture, files: [...(known?.files ?? []), path] })
    entries.push({ path, mode: 0o755, content: await readFile(path) })
  }
  for (const name of packages.keys()) {
    const path = `/usr/share/doc/${name}/copyright`
    entries.push({ path, mode: 0o644, content: await readFile(path) })
  }
  return { entries: [...entries, ...accounts(), ...folders()], packages: [...packages.values()] }
}

async function librariesOf(node: string): Promise<string[]> {
  const { stdout } = await run('ldd', [node])
  const linked = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path)
  const [libc] = linked.filter((path) => path.endsWith('/libc.so.6'))
  if (libc === undefined) throw new Error(`${node} is not a program for glibc; an image of it cannot be made here.`)
  return [...linked, ...nameService.map((name) => `${dirname(libc)}/${name}`)]
}

async function ownerOf(path: string): Promise<Omit<DebianPackage, 'files'>> {
  // A merged /usr has the file under both names, and dpkg knows one of them.
  const real = await realpath(path)
  const names = [real, real.replace(/^\/usr/, '')]
  for (const name of names) {
    const owner = await run('dpkg-query', ['--search', name]).catch(() => null)
    const [, package_ = ''] = /^([^:\s]+)(?::\S+)?: /.exec(owner?.stdout ?? '') ?? []
    if (package_ === '') continue
    const format = ['--showformat', '${Version} ${Architecture}', package_]
    const [version = '', architecture = ''] = (await run('dpkg-query', ['--show', ...format])).stdout.split(/\s/)
    return { name: package_, version, architecture }
  }
  throw new Error(`${path} is from no Debian package: build the image on Debian 12 or newer, or on Ubuntu.`)
}

function accounts(): Entry[] {
  const file = (path: string, text: string): Entry => ({ path, mode: 0o644, content: Buffer.from(text) })
  return [
    file('/etc/passwd', `root:x:0:0:root:/:/none\ntillwright:x:${USER}:${USER}:Tillwright:${HOME}:/none\n`),
    file('/etc/group', `root:x:0:\ntillwright:x:${USER}:\n`),
    file('/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
  ]
}

function folders(): Entry[] {
  return [
    { path: '/tmp', mode: 0o1777, content: 'folder' },
    { path: HOME, mode: 0o700, owner: USER, content: 'folder' },
    ...['/dev', '/proc', '/sys'].map((path): Entry => ({ path, mode: 0o755, content: 'folder' })),
  ]
}

/**
 * A program without what only a debugger reads: its symbols and sections, which follow everything that is loaded. Kernel
 * and loader read program headers alone. Source: System V ABI, "Object files".
 *
 * @throws {TypeError} If it is no 64-bit ELF of a little-endian machine.
 */
export function withoutSymbols(program: Buffer): Buffer {
  if (program.toString('latin1', 0, 6) !== '\x7fELF\x02\x01')
    throw new TypeError('Only 64-bit little-endian ELF programs can be stripped.')
  const at = Number(program.readBigUInt64LE(32))
  const [bytes, count] = [program.readUInt16LE(54), program.readUInt16LE(56)]
  const ends = Array.from({ length: count }, (_, i) => {
    const header = at + i * bytes
    return Number(program.readBigUInt64LE(header + 8) + program.readBigUInt64LE(header + 32))
  })
  const kept = Buffer.from(program.subarray(0, Math.max(at + count * bytes, ...ends)))
  kept.writeBigUInt64LE(0n, 40) // where the section headers were
  kept.writeUInt32LE(0, 60) // how many there were, and which one had their names
  return kept
}
