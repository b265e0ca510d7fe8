import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publicPackages } from '../public-packages.ts'
import { root } from '../spawn-program.ts'
import type { PageSnippet } from './read-snippets.ts'

/** The parts of the documentation whose shell snippets are run as a reader would: in order, page by page. */
const RUN = /^(?:start|payments)\/|^operating\/(?:failed-requests|operating-over-http)$/

/**
 * Runs the shell snippets of pages in a folder where a local platform has left its `local.json`.
 *
 * @returns What each page failed with.
 */
export async function runShell(snippets: readonly PageSnippet[], folder: string): Promise<string[]> {
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
      const complaint = await bash(own.map(({ code }) => code).join('\n'), folder, programs)
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

function bash(script: string, folder: string, programs: string): Promise<string | null> {
  const { apiUrl, adminApiKey } = JSON.parse(readFileSync(join(folder, '.tillwright/local.json'), 'utf8'))
  const env = {
    ...process.env,
    PATH: `${programs}:${dirname(process.execPath)}:${process.env['PATH']}`,
    TILLWRIGHT_API_URL: apiUrl,
    TILLWRIGHT_API_KEY: adminApiKey,
  }
  return new Promise((resolve) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve(error === null ? null : `${error.message}\n${stdout}\n${stderr}`)
    })
  })
}
