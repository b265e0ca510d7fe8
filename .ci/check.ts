import { runStep, type Step } from './run-step.ts'

const steps: readonly Step[] = [
  { name: 'format', command: ['oxfmt', '--list-different'] },
  { name: 'lint', command: ['oxlint', '--format=unix'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of one-page-checkout', command: ['tsc', '-p', 'apps/one-page-checkout'] },
  { name: 'types of offer-funnel', command: ['tsc', '-p', 'apps/offer-funnel'] },
  { name: 'types of console', command: ['tsc', '-p', 'apps/console'] },
  { name: 'arrows', command: ['node', '.ci/arrows.ts'] },
  { name: 'docs', command: ['node', '.ci/docs.ts'] },
  { name: 'messages', command: ['node', '.ci/messages.ts'] },
  { name: 'fields', command: ['node', '.ci/fields.ts', '--check'] },
  { name: 'member roles', command: ['node', '.ci/member-roles.ts', '--check'] },
  { name: 'resources', command: ['node', '.ci/resource-table.ts', '--check'] },
  { name: 'drivers', command: ['node', '.ci/driver-table.ts', '--check'] },
  { name: 'unused', command: ['knip', '--no-progress'] },
  { name: 'manifests', command: ['node', '.ci/manifests.ts', '--check'] },
  { name: 'packs', command: ['node', '.ci/packs.ts'] },
  { name: 'changesets', command: ['node', '.ci/changesets.ts'] },
]

/** Every check that needs no test runner, side by side. The last line is exactly `N passed, N failed`. */
const results = await Promise.all(steps.map(runStep))
const passed = results.filter(Boolean).length
const failed = results.length - passed
process.exitCode = failed === 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed`)
