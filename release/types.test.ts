import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { expect, onTestFinished, test } from 'vitest'
import { publicPackages } from '../.ci/public-packages.ts'
import { firstOf, inSoak, soaks } from '../.ci/soaks.ts'
import { root } from '../.ci/spawn-program.ts'
import { installApart, type InstalledPackage } from './install-apart.ts'

/** One that needs no other; the types of all of them take a minute of a processor. */
const LIGHT = '@tillwright/emv-3ds'

async function installed(): Promise<{ folder: string; packages: InstalledPackage[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-types-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const all = await publicPackages()
  return { folder, packages: await installApart(soaks ? all : all.filter(({ name }) => name === LIGHT), folder) }
}

/** The compilers that a project may have, and what each calls the iterators of ES2025. */
const compilers = [
  { version: '7', path: join(root, 'node_modules/typescript/bin/tsc'), iterators: 'es2025.iterator' },
  {
    version: '5.9',
    path: createRequire(join(root, 'packages/contract/package.json')).resolve('typescript5/bin/tsc'),
    iterators: 'esnext.iterator',
  },
] as const

/** Compiler errors of a project that imports every entry, with the declarations of all packages checked as well. */
function complaints(folder: string, { path, iterators }: (typeof compilers)[number], module: string): Promise<string> {
  const resolution = module === 'esnext' ? 'bundler' : module
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2024', '--types', 'node']
  const lib = ['--lib', `es2024,${iterators},dom,dom.iterable`]
  const args = [path, ...options, ...lib, '--module', module, '--moduleResolution', resolution, 'main.ts']
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder }, (_, out, err) => resolve(out + err)),
  )
}

test(
  'every typed entry of a packed package compiles, in a soak of all of them, in TypeScript 7 and 5.9, for Node and for bundlers',
  { timeout: 600_000 },
  async () => {
    const { folder, packages } = await installed()
    const entries = packages.flatMap(({ typedEntries }) => typedEntries)
    expect(entries.length).toBeGreaterThan(packages.length)
    await writeFile(
      join(folder, 'main.ts'),
      entries.map((entry, at) => `export * as e${at} from '${entry}'\n`).join(''),
    )
    for (const compiler of firstOf(compilers)) {
      for (const module of firstOf(['nodenext', 'esnext']))
        expect([compiler.version, module, await complaints(folder, compiler, module)]).toEqual([
          compiler.version,
          module,
          '',
        ])
    }
    await writeFile(join(folder, 'main.ts'), `import { nothing } from '${entries[0]}'\n`)
    expect(await complaints(folder, compilers[0], 'nodenext')).toContain("has no exported member 'nothing'")
  },
)

/**
 * The profile `esm-only` of arethetypeswrong: Node before 10's `exports` finds nothing here, and `require()` of an ES module
 * works from Node 22.12 on, which is older than what we run on.
 */
const passedOver = new Set(['node10', 'node16-cjs'])

test.each(inSoak)('arethetypeswrong finds no problem in a packed package', { timeout: 600_000 }, async () => {
  const { packages } = await installed()
  const problems = await Promise.all(
    packages.map(async ({ name, tarball }) => {
      const answer = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))))
      const found: Problem[] = answer.types === false ? [] : answer.problems
      return found
        .filter((problem) => !('resolutionKind' in problem) || !passedOver.has(problem.resolutionKind))
        .map((problem) => [name, problem])
    }),
  )
  expect(problems.flat()).toEqual([])
})
