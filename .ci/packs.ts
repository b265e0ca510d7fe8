import { execFile } from 'node:child_process'
import { glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { readModule } from './arrows/read-module.ts'
import { publicPackages, type PublicPackage } from './public-packages.ts'

const run = promisify(execFile)

/** Packs every public package as a release would, and looks at what somebody who installs it would get. */
const scratch = await mkdtemp(join(tmpdir(), 'tillwright-packs-'))
try {
  const problems = await Promise.all((await publicPackages()).map(problemsOf))
  for (const problem of problems.flat()) console.log(problem)
  process.exitCode = problems.flat().length === 0 ? 0 : 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function problemsOf({ name, folder }: PublicPackage): Promise<string[]> {
  const tarball = join(scratch, `${name.replace('/', '-')}.tgz`)
  const unpacked = join(scratch, name)
  await mkdir(unpacked, { recursive: true })
  await run('pnpm', ['pack', '--out', tarball], { cwd: folder, shell: process.platform === 'win32' })
  await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'])
  const { messages, pkg } = await publint({ pkgDir: unpacked, pack: false, level: 'warning', strict: true })
  const complaints = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code)
  return [...complaints, ...(await foreignImports(unpacked, pkg))].map((problem) => `${name}: ${problem}`)
}

/** Imports of packages that the installed package would not find: neither dependency nor peer. */
async function foreignImports(folder: string, manifest: Record<string, unknown>): Promise<string[]> {
  const own = { ...Object(manifest['dependencies']), ...Object(manifest['peerDependencies']) }
  const problems = new Set<string>()
  for await (const path of glob('**/*.{js,d.ts}', { cwd: folder })) {
    for (const { specifier } of readModule(path, await readFile(join(folder, path), 'utf8')).imports) {
      const [, name] = /^((?:@[^/]+\/)?[^/.][^/]*)/.exec(specifier) ?? []
      if (name === undefined || isBuiltin(specifier) || name in own) continue
      problems.add(`${path} imports ${name}, which is not among its dependencies`)
    }
  }
  return [...problems]
}
