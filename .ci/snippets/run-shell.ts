import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addPrograms } from './programs.ts'
import type { PageSnippet } from './read-snippets.ts'
import type { Having } from './what-readers-have.ts'

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
 * Runs the shell snippets of pages, each page's in a folder of its own, on one platform for all.
 *
 * @returns One problem for each page that failed.
 */
export async function runShell(snippets: readonly PageSnippet[], surroundings: Surroundings): Promise<string[]> {
  await addPrograms(join(surroundings.folder, 'programs'))
  const results = await Promise.all(
    Array.from(
      Map.groupBy(snippets, ({ page }) => page),
      async ([page, own]) => {
        const complaint = await bash(
          filled(scriptOf(own), page, surroundings),
          placeOf(page, surroundings),
          surroundings,
        )
        return complaint === null ? [] : [`${page} ${complaint}`]
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
