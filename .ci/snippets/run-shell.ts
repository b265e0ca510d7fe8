import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publicPackages } from '../public-packages.ts'
import { root } from '../spawn-program.ts'
import type { PageSnippet } from './read-snippets.ts'

/** The pages whose shell snippets are run as a reader would, in their order. */
const RUN =
  /^(?:start|payments)\/|^(?:operating\/(?:failed-requests|first-key|operating-over-http|changing-the-schema|roles)|security\/(?:audit|members|privacy|keys)|reference\/(?:lists|statistics)|3-d-secure\/exemptions)$/

/** Where snippets are run. */
interface Surroundings {
  /** A folder in which a local platform has left its `local.json`. */
  folder: string
  /** What the text leaves to its reader: variables such as `CUSTOMER`. */
  variables: Readonly<Record<string, string>>
  /** Ids that the text leaves out, by their prefix: `pay_...` stands for the one of `pay`. */
  ids: Readonly<Record<string, string>>
}

/**
 * Runs the shell snippets of pages.
 *
 * @returns What each page failed with.
 */
export async function runShell(
  snippets: readonly PageSnippet[],
  { folder, variables, ids }: Surroundings,
): Promise<string[]> {
  const shell = snippets.filter(({ page, language, notRun }) => language === 'sh' && notRun === null && RUN.test(page))
  const pages = Map.groupBy(shell, ({ page }) => page)
  const programs = join(folder, 'programs')
  mkdirSync(programs, { recursive: true })
  const names = (await publicPackages()).map(({ name }) => name)
  addProgram(join(programs, 'tillwright'), `exec node ${join(root, 'packages/cli/src/main.ts')} "$@"`)
  addProgram(
    join(programs, 'npm'),
    `[ "$1" = install ] && shift && for name; do case " ${names.join(' ')} " in *" $name "*) ;; *) echo "There is no package $name." >&2; exit 1 ;; esac; done`,
  )
  const results = await Promise.all(
    Array.from(pages, async ([page, own]) => {
      const complaint = await bash(withIds(own.map(({ code }) => code).join('\n'), ids), { folder, variables })
      return complaint === null ? [] : [`apps/docs/pages/${page}.md ${complaint}`]
    }),
  )
  return results.flat()
}

/** `npm install` installs nothing: it only has to name packages of ours. */
function addProgram(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`)
  chmodSync(path, 0o755)
}

/** `pay_...` and its like become ids of this platform. */
function withIds(script: string, ids: Surroundings['ids']): string {
  return script.replaceAll(/\b([a-z]+)_\.\.\./g, (left, prefix: string) => ids[prefix] ?? left)
}

function bash(script: string, { folder, variables }: Omit<Surroundings, 'ids'>): Promise<string | null> {
  const env = {
    ...process.env,
    ...variables,
    PATH: `${join(folder, 'programs')}:${dirname(process.execPath)}:${process.env['PATH']}`,
  }
  return new Promise((resolve) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve(error === null ? null : `${error.message}\n${stdout}\n${stderr}`)
    })
  })
}
