import { readChangesets } from '@changesets/read'
import { publicPackages } from './public-packages.ts'
import { root } from './spawn-program.ts'

/** Checks that each changeset names packages that exist and says something, and that no new package goes unannounced. */
const packages = await publicPackages()
const names = new Set(packages.map(({ name }) => name))
const changesets = await readChangesets(root)
const problems = changesets.flatMap(({ id, releases, summary }) => [
  ...releases
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => `.changeset/${id}.md: there is no package ${name}`),
  ...(releases.length === 0 ? [`.changeset/${id}.md names no package: delete it or name one`] : []),
  ...(summary.length < 20 ? [`.changeset/${id}.md: tell the users what changes for them`] : []),
])
const announced = new Set(changesets.flatMap(({ releases }) => releases.map(({ name }) => name)))
const silent = packages.filter(({ name, version }) => version === '0.0.0' && !announced.has(name))
problems.push(...silent.map(({ name }) => `${name} is new and in no changeset: run \`pnpm changeset\``))
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1
