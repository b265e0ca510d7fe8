import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publicPackages } from '../public-packages.ts'
import { root } from '../spawn-program.ts'
import type { PageSnippet } from './read-snippets.ts'
import type { Having } from './what-readers-have.ts'

/** The pages whose shell snippets are run as a reader would, in their order. */
const RUN =
  /^(?:start|payments)\/|^(?:operating\/(?:backup|failed-requests|first-key|operating-over-http|changing-the-schema|roles)|security\/(?:audit|members|privacy|keys)|reference\/(?:lists|live|statistics)|3-d-secure\/exemptions|checkout\/(?:policies|wallets))$/

/** The environment that snippets run in. */
interface Surroundings {
  /** A folder in which a local platform has left its `local.json`; each page gets one below it. */
  folder: string
  /** Environment variables that readers set themselves, such as `CUSTOMER`. */
  variables: Readonly<Record<string, string>> & { TILLWRIGHT_HOME: string }
  /** Values available on every page; `havingOf` adds those of one page, by its path. */
  having: Having
  havingOf: Readonly<Record<string, Having>>
  /** Replacements for the addresses and folders in examples. */
  places: Readonly<Record<string, string>>
}

/**
 * Runs the shell snippets of pages.
 *
 * @returns One problem for each page that failed.
 */
export async function runShell(snippets: readonly PageSnippet[], surroundings: Surroundings): Promise<string[]> {
  const shell = snippets.filter(({ page, language, notRun }) => language === 'sh' && notRun === null && RUN.test(page))
  await addPrograms(join(surroundings.folder, 'programs'))
  const results = await Promise.all(
    Array.from(
      Map.groupBy(shell, ({ page }) => page),
      async ([page, own]) => {
        const complaint = await bash(
          filled(scriptOf(own), page, surroundings),
          placeOf(page, surroundings),
          surroundings,
        )
        return complaint === null ? [] : [`apps/docs/pages/${page}.md ${complaint}`]
      },
    ),
  )
  return results.flat()
}

/** Runs an endless command in the background. The rest of the page starts after its first output. */
function scriptOf(snippets: readonly PageSnippet[]): string {
  const before = snippets.map(({ code, until, database, line }) => {
    if (database === 'empty') return `(export TILLWRIGHT_HOME=$(new_home)\n${code})`
    return until === null ? code : `set -m\n(${code}) > said-${line} 2>&1 &\nset +m\nbegun=$!\nwait_for . said-${line}`
  })
  const endless = snippets.flatMap(({ until, line }) => (until === null ? [] : [`wait_for '${until}' said-${line}`]))
  const end = endless.length === 0 ? [] : ['trap "kill -- -$begun" EXIT', ...endless]
  return [functions, ...before, ...end].join('\n')
}

/** `new_home` makes a folder for an empty database, with the keys of the one that there is. */
const functions = `wait_for() { for _ in $(seq 300); do grep -q -- "$1" "$2" && return; sleep 0.1; done; cat "$2"; return 1; }
new_home() { local made; made=$(mktemp -d -p "$PWD"); cp "$TILLWRIGHT_HOME"/*.key "$made"; echo "$made"; }`

/** `pay_...` and its like become those of this platform, and places of examples those that there are. */
function filled(script: string, page: string, { having, havingOf, places }: Surroundings): string {
  const leftOut: Readonly<Record<string, string>> = { ...having.leftOut, ...havingOf[page]?.leftOut }
  const named = script.replaceAll(/\b([a-z]+_|[A-Z])\.\.\./g, (left, start: string) => leftOut[start] ?? left)
  return Object.entries(places).reduce((text, [place, own]) => text.replaceAll(place, own), named)
}

/** @returns The folder of a page, with what its reader has in it. */
function placeOf(page: string, { folder, havingOf }: Surroundings): string {
  const place = join(folder, page)
  cpSync(join(folder, '.tillwright'), join(place, '.tillwright'), { recursive: true })
  for (const [name, text] of Object.entries(havingOf[page]?.files ?? {})) writeFileSync(join(place, name), text)
  return place
}

async function addPrograms(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const names = (await publicPackages()).map(({ name }) => name)
  addProgram(join(folder, 'tillwright'), `exec node ${join(root, 'packages/cli/src/main.ts')} "$@"`)
  addProgram(
    join(folder, 'npm'),
    `[ "$1" = install ] && shift && for name; do case " ${names.join(' ')} " in *" $name "*) ;; *) echo "There is no package $name." >&2; exit 1 ;; esac; done`,
  )
}

/** `npm install` installs nothing: it only has to name packages of ours. */
function addProgram(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`)
  chmodSync(path, 0o755)
}

function bash(script: string, cwd: string, { folder, variables }: Surroundings): Promise<string | null> {
  const env = {
    ...process.env,
    ...variables,
    PATH: `${join(folder, 'programs')}:${dirname(process.execPath)}:${process.env['PATH']}`,
  }
  return new Promise((resolve) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd, env }, (error, stdout, stderr) => {
      resolve(error === null ? null : `${error.message}\n${stdout}\n${stderr}`)
    })
  })
}
