import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

// It imports JSON without saying so, as bundlers know it.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
hooks.deregister()

const root = join(import.meta.dirname, '..')
const file = join(root, '.github/workflows/release.yml')
const text = readFileSync(file, 'utf8')

interface Job {
  permissions: Record<string, string>
  steps: { uses?: string; run?: string; with?: Record<string, string> }[]
}
const { jobs }: { jobs: Record<'rehearse' | 'publish', Job> } = parse(text)

/** Errors of GitHub's own parser: unknown keys, events and contexts, and expressions that do not parse. */
async function problemsOf(content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: basename(file), content }, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

test('the workflow of a release is one that GitHub accepts', async () => {
  expect(await problemsOf(text)).toEqual([])
  expect(await problemsOf(text.replace('runs-on:', 'run-on:'))).not.toEqual([])
  expect(await problemsOf(text.replace('needs: rehearse', 'needs: rehearsal'))).not.toEqual([])
  expect(await problemsOf(text.replace('if: inputs.publish', 'if: inputs.'))).not.toEqual([])
})

test('what it runs are commands of this repository, and what it hands on is what they write', () => {
  const { scripts }: { scripts: object } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands = jobs.rehearse.steps.flatMap(({ run }) => (run === undefined ? [] : [run]))
  const called = commands.map((command) => command.replace(/^npm |^node dev\.mjs /, ''))
  expect(called.filter((name) => !(name in scripts))).toEqual([])
  const written = ['archives.ts', 'sbom.ts'].map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  const handedOn = jobs.rehearse.steps.at(-1)?.with?.['path']?.trim().split('\n') ?? []
  expect(handedOn).toEqual(['dist/archives/', 'dist/sbom/'])
  for (const [index, folder] of handedOn.entries()) expect(written[index]).toContain(folder.slice(0, -1))
  // An artifact has the folders below what its paths have in common.
  expect(jobs.publish.steps.at(-1)?.run).toContain('archives/*.tgz')
})

test('only the job that publishes may ask for a token, and it has nothing of the repository', () => {
  expect(jobs.rehearse.permissions).toEqual({ contents: 'read' })
  expect(jobs.publish.permissions).toEqual({ 'id-token': 'write' })
  expect(jobs.publish.steps.map(({ uses }) => uses?.split('@')[0])).not.toContain('actions/checkout')
})

test('an action is named by its commit, which nobody can move, with the version beside it', () => {
  const used = text.match(/(?<=uses: ).*/g) ?? []
  expect(used).not.toEqual([])
  expect(used.filter((each) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(each))).toEqual([])
})
