import type { Migration } from './migrate.ts'
import { moneyPath } from './migrations/0001-money-path.ts'
import { promotions } from './migrations/0002-promotions.ts'
import { plugins } from './migrations/0003-plugins.ts'
import { funnels } from './migrations/0004-funnels.ts'
import { threeds } from './migrations/0005-threeds.ts'
import { eventCounts } from './migrations/0006-event-counts.ts'
import { keyNames } from './migrations/0007-key-names.ts'
import { attemptsInOrder } from './migrations/0009-attempts-in-order.ts'
import { processors } from './migrations/0010-processors.ts'
import { threedsEngine } from './migrations/0011-threeds-engine.ts'
import { threedsInTheBrowser } from './migrations/0012-threeds-in-the-browser.ts'
import { routing } from './migrations/0013-routing.ts'
import { cardSenders } from './migrations/0014-card-senders.ts'
import { subscriptions } from './migrations/0015-subscriptions.ts'
import { buyerSessions } from './migrations/0016-buyer-sessions.ts'
import { money } from './migrations/0017-money.ts'
import { realPayments } from './migrations/0018-real-payments.ts'
import { pluginHosting } from './migrations/0019-plugin-hosting.ts'
import { pluginSettings } from './migrations/0020-plugin-settings.ts'
import { funnelPages } from './migrations/0021-funnel-pages.ts'
import { sweptBlobs } from './migrations/0022-swept-blobs.ts'
import { pluginPictures } from './migrations/0024-plugin-pictures.ts'
import { sessionCodes } from './migrations/0030-session-codes.ts'
import { shippingOptions } from './migrations/0033-shipping-options.ts'
import { provenCustomers } from './migrations/0034-proven-customers.ts'
import { releasedDomains } from './migrations/0039-released-domains.ts'

/** Every step of the platform's schema, oldest first. A step that was released is never changed. */
export const migrations: readonly Migration[] = [
  moneyPath,
  promotions,
  plugins,
  funnels,
  threeds,
  eventCounts,
  keyNames,
  attemptsInOrder,
  processors,
  threedsEngine,
  threedsInTheBrowser,
  routing,
  cardSenders,
  subscriptions,
  buyerSessions,
  money,
  realPayments,
  pluginHosting,
  pluginSettings,
  funnelPages,
  sweptBlobs,
  pluginPictures,
  sessionCodes,
  shippingOptions,
  provenCustomers,
  releasedDomains,
]
