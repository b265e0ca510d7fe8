import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkArchitecture, checkPaths } from './docs.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const architecture = read('ARCHITECTURE.md')

test('ARCHITECTURE.md agrees with the arrows, and one import or room that differs is found', () => {
  expect(checkArchitecture(architecture)).toEqual([])
  expect(
    checkArchitecture(architecture.replace('verifies webhooks | contract |', 'verifies webhooks | cli |')),
  ).toEqual(['says "packages/client: cli" where the arrows say "packages/client: contract"'])
  expect(checkArchitecture(architecture.replace('`storage`: ', '`store`: '))).toEqual([
    'says "store" where the arrows say "storage"',
  ])
})

test('ARCHITECTURE.md has at most 8 KB', () => {
  expect(checkArchitecture(architecture + ' '.repeat(8 * 1024))).toEqual([expect.stringMatching(/^has \d+ bytes/)])
})

test.each([
  ['README.md', '`packages/contract/src/contract.ts` `contract/src/contract.ts` `apps/*/flows/` `x.test.ts`', 0],
  ['README.md', '`packages/contract/src/missing.ts` `contract/src/missing.ts` `apps/missing`', 3],
  ['packages/contract/README.md', '`contract.ts` `operations/catalog.ts` `@tillwright/contract/json`', 0],
  ['packages/contract/README.md', '`missing.ts` `operations/missing.ts`', 2],
])('in %s, the paths in %s lead nowhere %i times', (file, text, missing) => {
  expect(checkPaths(text, file)).toHaveLength(missing)
})

test('what the README and the first page run by npm here needs no pnpm and no new Node: dev.mjs brings both', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const pages = read('README.md') + read('apps/docs/pages/start/index.md')
  const named = [...pages.matchAll(/\bnpm (?:run )?([\w-]+)/g)].map(([, name = '']) => name)
  const ours = [...new Set(named)].filter((name) => name in scripts)
  expect(ours).toEqual(['start', 'test', 'packages'])
  for (const name of ours) {
    const [, brought = ''] = /^node dev\.mjs ([\w-]+)$/.exec(scripts[name] ?? '') ?? []
    expect(scripts, `npm run ${name}`).toHaveProperty(brought)
  }
})
