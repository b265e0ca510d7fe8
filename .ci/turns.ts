import { hash } from 'node:crypto'
import slowFiles from './slow-files.json' with { type: 'json' }

/**
 * The test files that take long, each with the seconds that it took in a full run, in which four ran at once: eight and more
 * of those in `packages/platform/src`, which hold the rules, four and more of all others.
 */
export const secondsOf: Readonly<Record<string, number>> = slowFiles

/**
 * Those of them that are of every run of the suite: the main way of each part, secrets, tenants, what may not happen twice,
 * and what any change may break, such as the walks over all operations. The others take turns.
 */
export const ofEveryRun: readonly string[] = [
  'apps/console/test/sign-in.browser.test.ts',
  'apps/demo-shop/flows/card-to-webhook.test.ts',
  'apps/demo-shop/flows/every-engine.test.ts',
  'apps/demo-shop/flows/newcomer/start-demo.test.ts',
  'apps/demo-shop/flows/pan-nowhere.test.ts',
  'packages/checkout/test/attacks/port.browser.test.ts',
  'packages/checkout/test/card-form.browser.test.ts',
  'packages/checkout/test/tokenize.browser.test.ts',
  'packages/cli/src/folder-to-domain.test.ts',
  'packages/contract/src/openapi/generated-client.test.ts',
  'packages/platform/attacks/secrets-in-audit-log.test.ts',
  'packages/platform/faults/ack-before-fsync.test.ts',
  'packages/platform/faults/chaos/chaos.test.ts',
  'packages/platform/faults/double-charge.test.ts',
  'packages/platform/faults/every-processor.test.ts',
  'packages/platform/faults/kill-nine.test.ts',
  'packages/platform/simulation/simulation.test.ts',
  'packages/platform/src/http/operations/idempotency.test.ts',
  'packages/platform/src/http/prism.test.ts',
  'packages/platform/test/walk/audit.test.ts',
  'packages/platform/test/walk/contract-walk.test.ts',
  'packages/platform/test/walk/member-roles.test.ts',
  'packages/platform/test/walk/operations.test.ts',
  'packages/platform/test/walk/query-plans.test.ts',
  'packages/platform/test/walk/tenancy.test.ts',
  'packages/platform/test/walk/who-may-instead.test.ts',
]

/** In how many runs of the suite each of them has its turn once. */
export const TURNS = 16

/** A turn from 1 to {@link TURNS}, drawn by the seed of a run. */
export function turnOf(seed: string): number {
  return (hash('sha256', `turn ${seed}`, 'buffer').readUInt32BE() % TURNS) + 1
}

/**
 * The files whose turn it is not. The turns take equally long.
 *
 * @param turn From 1 to {@link TURNS}; whatever else, such as `all`, is everybody's turn.
 */
export function waiting(turn: string | undefined): string[] {
  const turns = Array.from({ length: TURNS }, (_, index) => ({
    name: `${index + 1}`,
    seconds: 0,
    files: [] as string[],
  }))
  const inTurns = Object.entries(secondsOf).filter(([file]) => !ofEveryRun.includes(file))
  for (const [file, seconds] of inTurns.toSorted((a, b) => b[1] - a[1])) {
    const shortest = turns.reduce((least, each) => (each.seconds < least.seconds ? each : least))
    shortest.seconds += seconds
    shortest.files.push(file)
  }
  const isOne = turns.some(({ name }) => name === turn)
  return turns.flatMap(({ name, files }) => (isOne && name !== turn ? files : []))
}
