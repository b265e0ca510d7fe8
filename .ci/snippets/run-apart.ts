import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../spawn-program.ts'
import { addPackages, addPrograms } from './programs.ts'
import type { PageSnippet } from './read-snippets.ts'

/** The surroundings of a page's commands: files, and commands of the reader or of others that the text takes for granted. */
export interface Reader {
  /** Commands before those of the page. */
  before?: string
  /** Commands of another program or person before a snippet, by the beginning of that snippet. */
  meanwhile?: Readonly<Record<string, string>>
  /** Commands after those of the page, which fail if its promise is not kept. */
  after?: string
  /** Texts of files, by their names. */
  files?: Readonly<Record<string, string>>
  /** Real values, by the names of examples in the text. */
  places?: Readonly<Record<string, string>>
}

const running = 'Tillwright is running.'

/** Commands that go on until Ctrl-C, and the output at which a reader goes on to the next command. */
const endless: readonly (readonly [begins: RegExp, ready: string])[] = [
  [/^(?:npx |\.\/)?tillwright start\b|^npm start\b|^node packages\/tillwright\/dist\/tillwright\.mjs start\b/, running],
  [/^(?:npx )?tillwright dev\b|^npm run dev\b/, 'http://localhost:51'],
  [/^(?:npx )?tillwright events listen\b/, '.'],
]

/** True if a network of its own, in which every port is free, can be made on this machine. */
export function hasNetworkApart(): boolean {
  return spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0
}

/**
 * Runs the shell snippets of one page as its reader would: on a machine with an empty home and nothing on any port, where the
 * packages are installed. Commands that do not end run beside the rest.
 *
 * @returns The output of a page that failed; `null` if it did not.
 */
export async function runApart(
  snippets: readonly PageSnippet[],
  reader: Reader,
  folder: string,
): Promise<string | null> {
  rmSync(folder, { recursive: true, force: true }) // of a first try
  const programs = join(folder, 'programs')
  const place = join(folder, 'place')
  mkdirSync(place, { recursive: true })
  mkdirSync(join(folder, 'home'))
  await addPrograms(programs)
  await addPackages(place, programs)
  for (const name of ['packages', 'apps', 'tillwright', 'dev.mjs']) symlinkSync(join(root, name), join(place, name))
  for (const [name, text] of Object.entries(reader.files ?? {})) writeFileSync(join(place, name), text)
  const env = {
    PATH: `${programs}:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: join(folder, 'home'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    CHROME_PATH: process.env['CHROME_PATH'],
  }
  const words = ['-rn', 'bash', '--norc', '-euo', 'pipefail', '-c', scriptOf(snippets, reader)]
  return new Promise((resolve) => {
    const child = execFile('unshare', words, { cwd: place, env, maxBuffer: Infinity }, (error, stdout, stderr) => {
      resolve(error === null ? null : `${stdout}\n${stderr}`)
    })
    child.stdin?.end()
  })
}

function scriptOf(snippets: readonly PageSnippet[], reader: Reader): string {
  const { before = '', meanwhile = {}, after = '', places = {} } = reader
  const parts = snippets.flatMap(({ code }) => {
    const [, done = ''] = Object.entries(meanwhile).find(([start]) => code.startsWith(start)) ?? []
    return [done, code]
  })
  const script = [before, ...parts, after].map(besides).join('\n')
  return functions + Object.entries(places).reduce((text, [name, own]) => text.replaceAll(name, own), script)
}

/** Commands that do not end become some that run beside the others. */
function besides(code: string): string {
  return code.replaceAll(/^(?:.*\\\n)*.*$/gm, (line) => {
    const [, ready] = endless.find(([begins]) => begins.test(line)) ?? []
    return ready === undefined ? line : `begin '${ready}' '${line.replaceAll("'", String.raw`'\''`)}'`
  })
}

/** A platform that is started where there is one takes its place, as a reader stops the first one. */
const functions = `ip link set lo up
place=$PWD begun=() platform=
begin() {
  local out=$place/said-\${#begun[@]}
  [ "$1" != '${running}' ] || [ -z "$platform" ] || { kill -INT -- "-$platform"; wait "$platform" || true; }
  set -m
  (eval "$2") < /dev/null > "$out" 2>&1 &
  set +m
  begun+=($!)
  [ "$1" != '${running}' ] || platform=$!
  wait_for "$1" "$out"
}
wait_for() { for _ in $(seq 1200); do grep -q -- "$1" "$2" && return; sleep 0.1; done; echo "No $1 was printed:"; cat "$2"; return 1; }
end() { for each in "\${begun[@]}"; do kill -KILL -- "-$each" 2> /dev/null || true; done; }
trap end EXIT
`
