// Brings what a fresh machine lacks (the right Node, pnpm, the dependencies), then runs a script of package.json, or behind
// `./tillwright` a command of the command line.
// Plain JavaScript without dependencies: it must run on any Node that a visitor happens to have.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchOnce, giveUp, nodeFolder, nodes } from './packages/cli/launch/bring-node.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const { packageManager, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const windows = process.platform === 'win32'

/** The sha512 of the packages of pnpm, as the npm registry states them. A new version in package.json needs its own. */
const pinned = {
  'pnpm@12.21.0': 'Zv2CeO4ok1zpUXktNDZ/869cQyonVkRYIwKVM4NbjaUpu+C+UTCv1W7QcT+4eJ5Hutgtk71a4v5UsVVi1idu8A==',
  '@pnpm/exe.linux-x64@12.21.0':
    '8eufCjHXspKbNS/kh8q4Q0gqJoOuvC4Q5pgos6XS8By/nAMtP+jf8F1Cw9er840kfAX+PJ/ts+A9qnLE91rvXQ==',
  '@pnpm/exe.linux-arm64@12.21.0':
    '4Oj/iF2TDCe2lcH0n4TupPR5sSdrNLclJB6xBElLMPCUOAvBhdf2rRlSaO5M4erJ6g4Fyy7YTXTpcmfFsKyxEA==',
}

/**
 * The folder of a `pnpm` command. Its program is a package of its own for each system; where that has no hash here, the
 * pinned `pnpm` fetches it, and checks the registry's signature of it with keys that it brings along.
 */
function pnpmFolder() {
  const version = packageManager.split('@')[1]
  const isGlibc = process.platform === 'linux' && Boolean(process.report.getReport().header.glibcVersionRuntime)
  const program = `@pnpm/exe.${process.platform}-${process.arch}`
  if (isGlibc && `${program}@${version}` in pinned) return fetchPinned(`${program}@${version}`)
  const pnpm = fetchPinned(`pnpm@${version}`)
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

function fetchPinned(spec) {
  if (!(spec in pinned)) giveUp(`dev.mjs has no hash of ${spec}, so it is not fetched: add it, or install it yourself.`)
  return fetchOnce(spec, pinned[spec])
}

/** Development has one Node for everybody, unless there is a newer one. */
function ownNode() {
  const [wanted] = Object.keys(nodes).map((spec) => spec.split('@')[1])
  return Number(process.versions.node.split('.')[0]) >= Number(wanted.split('.')[0]) ? [] : [nodeFolder()]
}

function environment() {
  const path = [join(root, 'node_modules', '.bin'), ...ownNode(), pnpmFolder(), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1' }
  delete env.COREPACK_INTEGRITY_KEYS // would let pnpm take a program without a signature
  return env
}

/**
 * Runs one command to its end. No shell and no package manager stands between (but on Windows): they would die of a
 * signal and leave the command behind.
 */
function run([program, ...args], { cwd = root, stdio = 'inherit' } = {}) {
  const child = spawn(program, args, { cwd, env, stdio, shell: windows })
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

async function must(command, options) {
  const result = await run(command, options)
  if (result !== 0) process.exit(typeof result === 'number' ? result : 1)
}

/** Whether the dependencies that the lockfile asks for have been installed since it changed. */
function isInstalled() {
  const installed = statSync(join(root, 'node_modules', '.modules.yaml'), { throwIfNoEntry: false })
  return installed !== undefined && installed.mtimeMs >= statSync(join(root, 'pnpm-lock.yaml')).mtimeMs
}

/** Hides warnings of the registry and of packages, which are for those who change dependencies with `pnpm install`. */
async function install(options) {
  if (!isInstalled()) console.error('Installing the dependencies (a minute the first time)')
  await must(['pnpm', 'install', '--prefer-offline', '--loglevel=error'], options)
}

/** Commands that serve pages, which hold the card form. */
const serving = ['start', 'dev', 'test', 'preview']

/** A command of the command line, in its caller's folder. Its output is the command's alone. */
async function tillwright(words) {
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'] }
  if (!isInstalled()) await install(quiet)
  if (serving.includes(words[0])) await must([...scripts['build:checkout'].split(' '), '--output-logs=none'], quiet)
  await must(['node', join(root, 'packages', 'cli', 'src', 'main.ts'), ...words], { cwd: process.cwd() })
}

/** A script of package.json, with the dependencies that it needs. */
async function script(name, words) {
  // `npm test` is everything that must hold; `pnpm test` is the quick part of it, for every minute of a working day.
  // Parts of paths after either run just the test files that have them.
  const quick = name === 'verify' && words.length === 0 && (process.env.npm_config_user_agent || '').startsWith('pnpm')
  if (!(name in scripts)) giveUp(`There is no script ${name}; there are ${Object.keys(scripts).join(', ')}.`)
  await install()
  for (const command of [scripts[quick ? 'unit' : name], ...words].join(' ').split(' && '))
    await must(command.split(' '))
}

const env = environment()
const [name = 'local', ...words] = process.argv.slice(2)
await (name === 'tillwright' ? tillwright(words) : script(name, words))
