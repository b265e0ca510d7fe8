import {
  BODY_MAX_BYTES,
  BODY_MAX_DEPTH,
  BODY_MAX_VALUES,
  DEPLOY_BODY_MAX_BYTES,
  DEPLOY_BODY_MAX_VALUES,
  IDEMPOTENCY_RETENTION_MS,
  ISSUES_MAX,
  PAGE_BODY_MAX_BYTES,
  PAGE_BODY_MAX_VALUES,
  PAGE_MAX,
  plans,
  SETTINGS_MAX_BYTES,
  SETTINGS_MAX_VALUES,
} from '../limits.ts'
import { WEBHOOK_DATA_MAX_BYTES } from '../resources/events.ts'

const MEBIBYTE = 1024 * 1024
const HOUR_MS = 60 * 60 * 1_000

/**
 * What holds for every operation, in Markdown: the reference page shows it before the first of them.
 *
 * @param apiUrl What callers reach the API by.
 */
export function introduction(apiUrl: string): string {
  return `
Stores, products, promotions, cards, payments, 3-D Secure, funnels, plugins and events, over HTTP and JSON.

## First request

\`\`\`sh
curl ${apiUrl}/api/public/v1/auth/test \\
  -H "Authorization: Bearer $API_KEY"
\`\`\`

Send bodies as JSON with \`Content-Type: application/json\`. Every answer is JSON and carries an \`X-Request-Id\`; name it
when you ask for help. Fields that an operation does not know are ignored. Answers may get further fields at any time;
fields are never renamed.

${rules}`.trim()
}

const rules = `
## Authentication

Every request carries \`Authorization: Bearer <key>\`.

| key | where it may be | what it opens |
|---|---|---|
| \`test_sk_...\`, \`live_sk_...\` | your server alone | the account |
| \`test_pk_...\`, \`live_pk_...\` | your page | the card frame |

Live keys work in production, test keys everywhere else. A secret key in an address, or in a request from a browser, is
refused. A key with the role \`org:admin\` may do everything, \`org:member\` everything that needs a scope, \`org:read\`
whatever ends in \`:read\`. A key with scopes and no role may do what they say; one with neither may do all but what
needs \`org:admin\`. A revoked key stops working within a second.

An object of another account is not found (404), just as one that does not exist.

## Idempotency

Send an \`Idempotency-Key\` of your own, 1 to 255 visible ASCII characters, with any request that changes something, and
repeat the request as often as you like: it is done once.

| the key was | answer |
|---|---|
| never seen, or seen over ${IDEMPOTENCY_RETENTION_MS / HOUR_MS} hours ago | that of the request |
| used for the same request | the same bytes as before, with \`Idempotent-Replayed: true\` |
| used for the same request, which is still at work | 409 \`idempotency_key_in_use\`; ask again in a second |
| used for another method, path or body | 400 \`idempotency_key_reused\` |

Answers of 429 and above are not kept: try again with the same key.

## Errors

| status | meaning |
|---|---|
| 400 | the request is not acceptable; \`error.param\` names the field |
| 401 | no valid key |
| 402 | the request is fine, but the card was not charged |
| 403 | the key may not do this |
| 404 | there is no such object, or no such address |
| 405 | the address answers other methods; \`Allow\` lists them |
| 409 | the object, or the \`Idempotency-Key\`, is in another state |
| 413, 415 | the body is too large, or not JSON |
| 429 | too many requests; \`Retry-After\` says when the next one is welcome |
| 5xx | a fault of ours; try again |

All errors have one body. Branch on \`error.code\`: it never changes, while messages may be reworded. All problems of a
request are reported together in \`issues\`, ${ISSUES_MAX} at most. The [list of all codes](/docs/errors) says what each one means.

## Limits

| plan | requests a minute | at once |
|---|---|---|
| Standard | ${plans.standard.perMinute} | ${plans.standard.burst} |
| Premium | ${plans.premium.perMinute} | ${plans.premium.burst} |

The limit is the account's, whatever the number of its keys. \`RateLimit\` and \`RateLimit-Policy\` tell on each answer what
is left. A body may have ${BODY_MAX_BYTES / MEBIBYTE} MiB and ${BODY_MAX_VALUES.toLocaleString('en')} values (objects, arrays and what stands in them), that of a plugin deployment
${DEPLOY_BODY_MAX_BYTES / MEBIBYTE} MiB and ${DEPLOY_BODY_MAX_VALUES.toLocaleString('en')} values, what a buyer's page or a card form sends ${PAGE_BODY_MAX_BYTES / 1024} KiB and ${PAGE_BODY_MAX_VALUES.toLocaleString('en')} values; each may be nested
${BODY_MAX_DEPTH} levels deep. All settings of a plugin's deployment may have ${SETTINGS_MAX_BYTES / MEBIBYTE} MiB as JSON and ${SETTINGS_MAX_VALUES.toLocaleString('en')} values together. A page of a
list has ${PAGE_MAX} entries at most.

## Money and time

Amounts are whole numbers of the currency's minor unit: \`1999\` is 19.99 USD, 1,999 JPY or 1.999 KWD. Currencies are
upper-case ISO 4217 codes. The largest amount is 9007199254740991 (2^53 - 1).

Times are ISO 8601 in UTC with milliseconds, such as \`2026-11-20T09:30:00.000Z\`. Requests may use any offset.

## Webhooks

Every event is sent to the endpoints that asked for its type, as a POST signed as
[Standard Webhooks 1.0.0](https://www.standardwebhooks.com). Verify the signature over the bytes that arrived, before
you parse them.

Answer with any 2xx within 15 seconds. Anything else, a redirect too, is tried again, ten times over three days;
410 switches the endpoint off. An event arrives at least once and in any order: \`webhook-id\` is the same on every try.
An event over ${WEBHOOK_DATA_MAX_BYTES / 1_000} kB is sent as its id alone.
`.trim()
