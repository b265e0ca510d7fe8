import { hash } from 'node:crypto'

/**
 * The test files that take longer than eight seconds, each with the seconds that it took in a full run, in which four ran at
 * once. These are of every run of the suite: the main way of each part, secrets, tenants, what may not happen twice, and what
 * any change may break, such as the walks over all operations.
 */
const ofEveryRun: Readonly<Record<string, number>> = {
  'packages/platform/simulation/simulation.test.ts': 160,
  'apps/demo-shop/flows/newcomer/newcomer.test.ts': 105,
  '.ci/snippets/snippets.test.ts': 25,
  'packages/platform/test/walk/operations.test.ts': 42,
  'apps/demo-shop/flows/pan-nowhere.test.ts': 35,
  'apps/demo-shop/flows/every-engine.test.ts': 30,
  'packages/platform/faults/chaos/chaos.test.ts': 28,
  'apps/demo-shop/flows/card-to-webhook.test.ts': 24,
  'packages/platform/test/walk/tenancy.test.ts': 23,
  'packages/platform/src/http/operations/idempotency.test.ts': 20,
  'packages/platform/faults/ack-before-fsync.test.ts': 19,
  'packages/checkout/test/attacks/port.browser.test.ts': 19,
  'packages/platform/faults/kill-nine.test.ts': 16,
  'apps/console/test/sign-in.browser.test.ts': 14,
  'packages/platform/faults/every-processor.test.ts': 14,
  'apps/console/test/cookie-theft.browser.test.ts': 13,
  'packages/checkout/test/card-form.browser.test.ts': 13,
  'packages/cli/src/folder-to-domain.test.ts': 13,
  'packages/platform/src/plugins/deploy/deploy.test.ts': 12,
  'packages/checkout/test/handshake.browser.test.ts': 11,
  'packages/platform/attacks/secrets-in-audit-log.test.ts': 11,
  'packages/checkout/test/tokenize.browser.test.ts': 11,
  'packages/platform/faults/double-charge.test.ts': 9,
  'apps/console/test/payments.browser.test.ts': 8,
  'release/same-bytes.test.ts': 13,
  'packages/platform/test/walk/contract-walk.test.ts': 24,
  'packages/platform/test/walk/query-plans.test.ts': 16,
  'packages/platform/test/walk/audit.test.ts': 12,
  'packages/platform/src/http/prism.test.ts': 12,
  'packages/contract/src/openapi/generated-client.test.ts': 12,
}

/** These take turns. */
const inTurns: Readonly<Record<string, number>> = {
  'apps/one-page-checkout/src/checkout/checkout.browser.test.ts': 38,
  '.ci/snippets/shell-snippets.test.ts': 85,
  '.ci/snippets/apart.test.ts': 60,
  'apps/offer-funnel/tests/funnel.browser.test.ts': 61,
  '.ci/snippets/programs-run.test.ts': 15,
  'apps/demo-shop/flows/plain-page.test.ts': 12,
  'apps/docs/test/snippets.browser.test.ts': 25,
  'packages/plugin-dev/test/hot-reload.browser.test.ts': 54,
  'apps/console/test/every-page.browser.test.ts': 53,
  'apps/demo-shop/flows/methods/methods.test.ts': 45,
  'apps/demo-shop/flows/shop-page.test.ts': 43,
  'packages/plugin-dev/src/runs/scenario-tests.browser.test.ts': 43,
  'packages/create-plugin/test/templates.browser.test.ts': 42,
  'packages/platform/src/http/pages/threeds-page.browser.test.ts': 41,
  'packages/checkout/test/methods.browser.test.ts': 37,
  'apps/one-page-checkout/src/checkout/methods.browser.test.ts': 37,
  'packages/checkout/test/threeds.browser.test.ts': 37,
  'apps/console/test/studio.browser.test.ts': 35,
  'packages/platform/src/run.test.ts': 40,
  'packages/platform/faults/silent-database.test.ts': 33,
  'apps/offer-funnel/tests/methods.browser.test.ts': 32,
  'packages/checkout/test/react.browser.test.ts': 30,
  'packages/checkout/test/element.browser.test.ts': 29,
  'packages/checkout/test/load.browser.test.ts': 28,
  'packages/platform/src/storage/postgres/pgbouncer.test.ts': 28,
  'packages/platform/faults/interrupted-upgrade.test.ts': 27,
  'apps/demo-shop/flows/wallets.test.ts': 27,
  'apps/console/test/developers.browser.test.ts': 26,
  'packages/platform/faults/lost-holders.test.ts': 26,
  'apps/playground/playground.browser.test.ts': 25,
  'operate/prometheus/prometheus.test.ts': 25,
  'packages/cli/src/doctor/production.test.ts': 25,
  'packages/cli/src/doctor/production-database.test.ts': 24,
  'packages/platform/faults/roles.test.ts': 24,
  'packages/cli/src/backup/backup-command.test.ts': 24,
  'packages/checkout/test/attacks/content.browser.test.ts': 24,
  'packages/platform/faults/wrong-clocks.test.ts': 23,
  'packages/cli/src/start/start-command.test.ts': 23,
  'packages/bank-simulator/src/pages/acs-pages.browser.test.ts': 23,
  'packages/checkout/test/edit-fields.browser.test.ts': 23,
  'packages/plugin-dev/test/toolbar.browser.test.ts': 22,
  'packages/platform/faults/key-rotation.test.ts': 22,
  'apps/console/test/actions.browser.test.ts': 22,
  'packages/plugin-sdk/test/two-origins.browser.test.ts': 21,
  'packages/checkout/test/attacks/threeds.browser.test.ts': 21,
  'packages/checkout/test/attacks/messages.browser.test.ts': 21,
  'packages/platform/src/ledger/ledger.test.ts': 20,
  'packages/checkout/test/network-choice.browser.test.ts': 20,
  'packages/plugin-dev/test/typed-card.browser.test.ts': 20,
  'packages/platform/attacks/slow-patterns.test.ts': 20,
  'packages/platform/test/walk/arbitrary-json.test.ts': 20,
  'packages/plugin-dev/soak/edits.test.ts': 19,
  'packages/platform/faults/interrupted-backup.test.ts': 19,
  'apps/demo-shop/flows/environments/environments.test.ts': 18,
  'packages/platform/faults/idempotency-crash.test.ts': 18,
  'apps/console/test/plugins.browser.test.ts': 18,
  'packages/platform/src/processors/checkout-com/checkout-driver.test.ts': 18,
  'packages/platform/src/storage/postgres/open-postgres.test.ts': 18,
  'packages/cli/src/operator-commands.test.ts': 18,
  'packages/create-plugin/test/packed.test.ts': 18,
  'packages/platform/attacks/huge-bodies.test.ts': 18,
  'packages/platform/faults/one-platform.test.ts': 17,
  'packages/platform/attacks/card-testing.test.ts': 17,
  'packages/checkout/test/attacks/leaks.browser.test.ts': 17,
  'packages/checkout/test/attacks/hello.browser.test.ts': 17,
  'packages/platform/src/http/pages/recovery-page.browser.test.ts': 16,
  'packages/checkout/test/languages.browser.test.ts': 16,
  'packages/checkout/test/appearance.browser.test.ts': 16,
  'packages/cli/src/dev/dev-development.browser.test.ts': 16,
  'packages/platform/faults/upgrade.test.ts': 16,
  'packages/platform/faults/deploy-crash.test.ts': 16,
  'packages/platform/faults/hook-crash.test.ts': 16,
  'packages/plugin-dev/src/runs/dev-and-published.browser.test.ts': 15,
  'apps/console/test/routing.browser.test.ts': 15,
  'packages/plugin-sdk/test/deployed-plugin.browser.test.ts': 15,
  'packages/platform/src/events/webhook-worker.scale.test.ts': 15,
  'apps/console/test/live.browser.test.ts': 15,
  'packages/cli/src/packed.test.ts': 14,
  'packages/platform/src/events/webhook-worker.load.test.ts': 14,
  'packages/cli/src/publish/interrupted-upload.test.ts': 14,
  'apps/docs/test/site.browser.test.ts': 14,
  'apps/console/test/customers.browser.test.ts': 14,
  'packages/platform/faults/two-processes.test.ts': 13,
  'packages/cli/src/publish/live-page.browser.test.ts': 13,
  'packages/platform/src/storage/postgres/silence.test.ts': 13,
  'packages/platform/src/routing/processor-health.test.ts': 13,
  'packages/platform/attacks/schema-memory.test.ts': 13,
  'packages/platform/test/walk/hostile-bodies.test.ts': 13,
  'packages/platform/src/packed.test.ts': 12,
  'packages/cli/src/option-variables.test.ts': 12,
  'packages/cli/src/doctor/production-settings.test.ts': 12,
  'packages/platform/src/http/reference/reference.browser.test.ts': 12,
  'packages/cli/src/dev/dev-command.test.ts': 12,
  'apps/console/test/catalogue.browser.test.ts': 12,
  'packages/platform/src/lists/lists.test.ts': 11,
  'packages/platform/src/http/operations/rate-limits.test.ts': 11,
  'packages/platform/attacks/one-against-all.test.ts': 11,
  'packages/platform/src/payments/await/methods.test.ts': 11,
  'apps/console/test/team.browser.test.ts': 11,
  'packages/cli/src/scenarios/preview-command.browser.test.ts': 10,
  'packages/plugin-dev/soak/typed-card.test.ts': 10,
  'packages/platform/src/events/endpoints.test.ts': 10,
  'packages/platform/src/payments/slow-processor.test.ts': 10,
  'packages/cli/src/publish/publish.test.ts': 10,
  'packages/platform/src/http/operations/limits.test.ts': 10,
  'packages/cli/src/scenarios/test-command.browser.test.ts': 10,
  'apps/one-page-checkout/src/checkout/wallets.browser.test.ts': 10,
  'packages/platform/test/walk/archived-stores.test.ts': 10,
  'packages/platform/src/processors/adyen/adyen-driver.test.ts': 10,
  'packages/plugin-dev/test/pay.browser.test.ts': 10,
  'packages/checkout/test/cardholder-name.browser.test.ts': 10,
  'packages/platform/attacks/lost-output.test.ts': 10,
  'packages/checkout/test/saved-cards.browser.test.ts': 10,
  'operate/image/npm-packages.test.ts': 10,
  'packages/platform/src/keys/rotation.test.ts': 9,
  'packages/cli/src/doctor/production-addresses.test.ts': 9,
  'packages/platform/faults/promotion-usage.test.ts': 9,
  'packages/checkout/test/challenge.browser.test.ts': 9,
  'packages/platform/attacks/many-large-bodies.test.ts': 9,
  'packages/platform/src/local/start-local.test.ts': 9,
  'operate/image/image.test.ts': 9,
  'packages/platform/attacks/reads-an-erased-customer.test.ts': 9,
  'packages/platform/attacks/prices-from-the-page.test.ts': 9,
  'apps/console/test/refund-requests.browser.test.ts': 9,
  'apps/console/test/testing.browser.test.ts': 9,
  'packages/platform/faults/erasure.test.ts': 9,
  'packages/platform/attacks/answers-for-the-merchant.test.ts': 9,
  'packages/platform/src/audit/seal.test.ts': 9,
  'packages/platform/test/walk/keys-of-the-other-kind.test.ts': 8,
  'packages/platform/attacks/session-fixation.browser.test.ts': 8,
  'packages/platform/attacks/start-checks.test.ts': 8,
  'packages/cli/src/publish/sale.test.ts': 8,
  'packages/platform/faults/retried-renewals.test.ts': 8,
  'packages/platform/src/hooks/hooks.test.ts': 8,
}

/** In how many runs of the suite each of them has its turn once. */
export const TURNS = 8

/** The seconds of the slow test files. */
export const secondsOf: Readonly<Record<string, number>> = { ...ofEveryRun, ...inTurns }

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
  for (const [file, seconds] of Object.entries(inTurns).toSorted((a, b) => b[1] - a[1])) {
    const shortest = turns.reduce((least, each) => (each.seconds < least.seconds ? each : least))
    shortest.seconds += seconds
    shortest.files.push(file)
  }
  const isOne = turns.some(({ name }) => name === turn)
  return turns.flatMap(({ name, files }) => (isOne && name !== turn ? files : []))
}
