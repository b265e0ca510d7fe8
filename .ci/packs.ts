import { execFile } from 'node:child_process'
import { glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { sdkSizes } from '../packages/plugin-sdk/test/page-sizes.ts'
import { readModule } from './arrows/read-module.ts'
import { publicPackages, type PublicPackage } from './public-packages.ts'
import { browserSizes, packageSizes, staleSizes, writeSizes } from './sizes.ts'

const run = promisify(execFile)

/**
 * Packs every public package as a release would, and looks at what an installation would get. With `--write` it
 * writes what they weigh into the page of sizes.
 */
const scratch = await mkdtemp(join(tmpdir(), 'tillwright-packs-'))
try {
  const packages = await publicPackages()
  const problems = (await Promise.all(packages.map(problemsOf))).flat()
  const tarballs = new Map(packages.map(({ name }) => [name, tarballOf(name)]))
  const inBrowsers = new Map([...(await browserSizes()), ...(await sdkSizes())])
  // Files of former builds may lie in `dist` here: `release/same-bytes.test.ts` weighs the packages of a clean clone.
  if (process.argv.includes('--write')) writeSizes(new Map([...inBrowsers, ...(await packageSizes(tarballs))]))
  else problems.push(...staleSizes(inBrowsers))
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}

function tarballOf(name: string): string {
  return join(scratch, `${name.replace('/', '-')}.tgz`)
}

async function problemsOf({ name, folder }: PublicPackage): Promise<string[]> {
  const tarball = tarballOf(name)
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
