import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './spawn-program.ts'

/** The slowest test files of each project, slowest first, as listed at the end of a full run. */
export const longest: readonly string[] = [
  'apps/demo-shop/flows/newcomer/newcomer.test.ts',
  'apps/demo-shop/flows/pan-nowhere.test.ts',
  'apps/demo-shop/flows/shop-page.test.ts',
  'apps/demo-shop/flows/card-to-webhook.test.ts',
  'packages/platform/faults/kill-nine.test.ts',
  'packages/platform/faults/silent-database.test.ts',
  'packages/platform/faults/lost-holders.test.ts',
  'packages/platform/faults/idempotency-crash.test.ts',
  'packages/platform/faults/chaos/chaos.test.ts',
  'packages/platform/faults/roles.test.ts',
  'packages/platform/faults/key-rotation.test.ts',
  'packages/platform/faults/wrong-clocks.test.ts',
  'packages/platform/faults/interrupted-backup.test.ts',
  'packages/platform/faults/promotion-usage.test.ts',
  'packages/platform/faults/interrupted-upgrade.test.ts',
  'packages/platform/faults/ack-before-fsync.test.ts',
  'packages/plugin-dev/soak/edits.test.ts',
  'packages/platform/faults/upgrade.test.ts',
  'packages/platform/faults/two-processes.test.ts',
  'packages/platform/faults/full-disk.test.ts',
  'packages/platform/faults/deploy-crash.test.ts',
  'packages/platform/faults/double-charge.test.ts',
  'packages/platform/faults/graceful-stop.test.ts',
  'packages/plugin-dev/soak/typed-card.test.ts',
  'apps/console/test/every-page.browser.test.ts',
  'apps/one-page-checkout/src/checkout/checkout.browser.test.ts',
  'apps/offer-funnel/tests/funnel.browser.test.ts',
  'packages/plugin-dev/test/hot-reload.browser.test.ts',
  'packages/create-plugin/test/templates.browser.test.ts',
  'apps/console/test/studio.browser.test.ts',
  'packages/plugin-dev/src/runs/scenario-tests.browser.test.ts',
  'packages/platform/src/http/threeds-page.browser.test.ts',
  'packages/checkout/test/threeds.browser.test.ts',
  'packages/bank-simulator/src/pages/acs-pages.browser.test.ts',
  'packages/cli/src/dev/dev-development.browser.test.ts',
  'packages/plugin-dev/test/toolbar.browser.test.ts',
  'apps/docs/test/site.browser.test.ts',
  'packages/checkout/test/load.browser.test.ts',
  'packages/checkout/test/edit-fields.browser.test.ts',
  'apps/console/test/developers.browser.test.ts',
  'packages/checkout/test/appearance.browser.test.ts',
  'packages/checkout/test/react.browser.test.ts',
  'packages/plugin-dev/src/runs/dev-and-published.browser.test.ts',
  'packages/checkout/test/attacks/port.browser.test.ts',
  'packages/checkout/test/element.browser.test.ts',
  'packages/checkout/test/languages.browser.test.ts',
  'packages/cli/src/scenarios/preview-command.browser.test.ts',
  'apps/console/test/many-payments.browser.test.ts',
  'packages/checkout/test/attacks/content.browser.test.ts',
  'packages/checkout/test/attacks/messages.browser.test.ts',
  'apps/console/test/plugins.browser.test.ts',
  'packages/plugin-dev/test/typed-card.browser.test.ts',
  'apps/console/test/actions.browser.test.ts',
  'packages/plugin-sdk/test/two-origins.browser.test.ts',
  'apps/playground/playground.browser.test.ts',
  'packages/checkout/test/network-choice.browser.test.ts',
  'packages/checkout/test/attacks/threeds.browser.test.ts',
  'packages/platform/test/walk/operations.test.ts',
  'packages/contract/src/openapi/lint.test.ts',
  'packages/platform/src/lists/lists.test.ts',
  'packages/platform/src/promotions/promotions.test.ts',
  'packages/contract/src/openapi/generated-client.test.ts',
  'packages/cli/src/backup/backup-command.test.ts',
  'packages/platform/src/http/prism.test.ts',
  'packages/platform/test/walk/arbitrary-json.test.ts',
  'packages/platform/test/walk/hostile-bodies.test.ts',
  'packages/platform/attacks/slow-patterns.test.ts',
  'packages/cli/src/start/start-command.test.ts',
  'packages/platform/attacks/huge-bodies.test.ts',
  'packages/platform/src/http/idempotency.test.ts',
  'packages/cli/src/folder-to-domain.test.ts',
  'packages/platform/test/walk/contract-walk.test.ts',
  'packages/cli/src/operator-commands.test.ts',
  'packages/platform/test/walk/tenancy.test.ts',
  'packages/platform/attacks/keys-to-strangers.test.ts',
  'packages/create-plugin/test/packed.test.ts',
  'packages/platform/attacks/schema-memory.test.ts',
  'packages/platform/src/storage/postgres/silence.test.ts',
  'packages/cli/src/packed.test.ts',
  'packages/platform/attacks/lost-output.test.ts',
  'packages/plugin-dev/src/runs/dev-and-published.browser.test.ts',
  'packages/platform/attacks/prices-from-the-page.test.ts',
  'packages/cli/src/publish/interrupted-upload.test.ts',
  'packages/platform/src/storage/postgres/open-postgres.test.ts',
]

/** The projects in the order in which they begin. Files of one stand together, because its workers go from one to the next. */
const PROJECTS = ['flows', 'faults', 'browser', 'unit']

/**
 * The order of test files: what takes long begins early, so that no processor waits for the last one. Behind those that
 * are noted here comes vitest's own order: by the time that a file took last, or by its size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, which gives a new list
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => projectOf(a) - projectOf(b) || placeOf(a) - placeOf(b))
  }
}

function projectOf({ project }: TestSpecification): number {
  return PROJECTS.indexOf(project.name)
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.indexOf(relative(root, moduleId).replaceAll('\\', '/'))
  return place === -1 ? longest.length : place
}
