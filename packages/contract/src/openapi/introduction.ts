import { faults } from '../faults.ts'
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
  type Plan,
  pluginRooms,
  plans,
  SETTINGS_HISTORY_MAX_BYTES,
  SETTINGS_MAX_BYTES,
  SETTINGS_MAX_VALUES,
  SETTINGS_REVISIONS_MAX,
} from '../limits.ts'
import { WEBHOOK_DATA_MAX_BYTES } from '../resources/events.ts'
import { testTokens } from '../test-tokens.ts'

const MEBIBYTE = 1024 * 1024
const HOUR_MS = 60 * 60 * 1_000
/** Digits in groups of three. `Intl` would take each start of the command line 40 ms. */
const grouped = (value: number) => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** Two cells of the table of limits. */
function roomOf(plan: Plan): string {
  const { deployments, files, bytes } = pluginRooms[plan]
  return `${grouped(deployments)} | ${grouped(files)} with ${bytes / 1024 / MEBIBYTE} GiB`
}

/**
 * The introduction to all operations, in Markdown, shown at the top of the reference page.
 *
 * @param apiUrl The base URL of the API.
 */
export function introduction(apiUrl: string): string {
  return `
Stores, products, promotions, cards, payments, 3-D Secure, funnels, plugins and events, over HTTP and JSON.

## First request

\`\`\`sh
curl ${apiUrl}/api/public/v1/auth/test \\
  -H "Authorization: Bearer $API_KEY"
\`\`\`

Send bodies as JSON with \`Content-Type: application/json\`. Every response is JSON and has an \`X-Request-Id\`; include it
when you contact support. Requests that move money or cannot be undone refuse unknown fields; other requests ignore them. New
fields may be added to responses at any time; fields are never renamed.

${rules}`.trim()
}

const rules = `
## Authentication

Every request carries \`Authorization: Bearer <key>\`.

| key | where to use it | what it gives access to |
|---|---|---|
| \`test_sk_...\`, \`live_sk_...\` | your server only | the account |
| \`test_pk_...\`, \`live_pk_...\` | your page | the card frame |

Live keys work in production, test keys everywhere else. A secret key in an address, or in a request from a browser, is
refused. A key with the role \`org:admin\` may do everything, \`org:member\` everything that needs a scope, \`org:read\`
everything that needs a \`:read\` scope. A key with scopes but no role may use those scopes; one with neither may do
everything that does not need \`org:admin\`. A revoked key stops working within a second.

An object of another account is not found (404), just like one that does not exist.

## Idempotency

Send an \`Idempotency-Key\` of your own, 1 to 255 visible ASCII characters, with any request that changes something. You
can then safely repeat the request: it is executed once.

| the key was | response |
|---|---|
| never used, or last used over ${IDEMPOTENCY_RETENTION_MS / HOUR_MS} hours ago | that of the request |
| used for the same request | the same bytes as before, with \`Idempotent-Replayed: true\` |
| used for the same request, which is still in progress | 409 \`idempotency_key_in_use\`; try again in a second |
| used for another method, path or body | 400 \`idempotency_key_reused\` |

Responses with status 429 and above are not stored: try again with the same key.

A key is kept for ${IDEMPOTENCY_RETENTION_MS / HOUR_MS} hours, and no longer. After that the same key executes the request again: a queue that repeats a payment
after two days charges the card a second time. Whatever repeats requests over days, such as a queue with a dead-letter
list, a restored backup or your own renewals, must first look up whether the payment was made (by its id, its order or
its webhook), and send it under a new key only if it was not. Keys that begin with or contain their date, such as UUIDs
of version 7, let you refuse old ones; \`newIdempotencyKey\` of \`@tillwright/client\` makes them, and the client does.

## Errors

| status | meaning |
|---|---|
| 400 | the request is invalid; \`error.param\` names the field |
| 401 | no valid key |
| 402 | the request is valid, but the card was not charged |
| 403 | the key does not have permission |
| 404 | the object or the address does not exist |
| 405 | the address supports other methods; \`Allow\` lists them |
| 409 | the object, or the \`Idempotency-Key\`, is in another state |
| 408, 414, 431 | the request did not arrive in time, or its address or headers are too large |
| 413, 415 | the body is too large, or not JSON |
| 429 | too many requests; \`Retry-After\` says when to try again |
| 5xx | an error on our side; try again |

All errors have the same body. Branch on \`error.code\`: it never changes, while the wording of messages may. All problems
of a request are reported together in \`issues\`, ${ISSUES_MAX} at most. See the [list of all codes](/docs/errors).

## Conditional reads

A read by id answers with an \`ETag\`. Send it as \`If-None-Match\` when you read the object again: as long as the answer would
be the same to the byte, it is 304 without a body. It counts as a request. The tag of an object that has a \`revision\` may also
be the \`If-Match\` of a change.

## Limits

| plan | requests per minute | burst | plugin deployments | their files |
|---|---|---|---|---|
| Standard | ${plans.standard.perMinute} | ${plans.standard.burst} | ${roomOf('standard')} |
| Premium | ${plans.premium.perMinute} | ${plans.premium.burst} | ${roomOf('premium')} |

The limits apply to the account, however many keys it has. Removed deployments do not count, archived ones do; a file counts
once, and until a day after the last deployment that has it was removed. \`GET /api/accounts/v1/account\` says how much is used. Every response has the headers \`RateLimit\` and
\`RateLimit-Policy\`. A body may have ${BODY_MAX_BYTES / MEBIBYTE} MiB and ${grouped(BODY_MAX_VALUES)} values (objects, arrays and their members), that of a plugin deployment
${DEPLOY_BODY_MAX_BYTES / MEBIBYTE} MiB and ${grouped(DEPLOY_BODY_MAX_VALUES)} values, one from a buyer's page or a card form ${PAGE_BODY_MAX_BYTES / 1024} KiB and ${grouped(PAGE_BODY_MAX_VALUES)} values; each may be nested
${BODY_MAX_DEPTH} levels deep. The settings of a plugin deployment may have ${SETTINGS_MAX_BYTES / MEBIBYTE} MiB as JSON and ${grouped(SETTINGS_MAX_VALUES)} values in total; their last
${SETTINGS_REVISIONS_MAX} revisions are kept, as far as they have ${SETTINGS_HISTORY_MAX_BYTES / MEBIBYTE} MiB together. A page of a list has at most ${PAGE_MAX} entries.

## Test tokens

In \`local\` and \`development\`, these tokens stand for a card wherever a \`serviceToken\` is accepted, so that you can try
payments without a card form. They can be used any number of times. In \`production\` they are refused.

| token | card and outcome |
|---|---|
${Object.entries(testTokens)
  .map(([name, outcome]) => `| \`${name}\` | ${outcome} |`)
  .join('\n')}

## Test failures

In \`local\` and \`development\`, the header \`Tillwright-Fault\` makes a request fail on purpose, to test how your server
handles it. In \`production\` it is ignored.

| header | effect |
|---|---|
${Object.entries(faults)
  .map(([name, effect]) => `| \`${name}\` | ${effect} |`)
  .join('\n')}

## Money and time

Amounts are integers in the currency's minor unit: \`1999\` is 19.99 USD, 1,999 JPY or 1.999 KWD. Currencies are
upper-case ISO 4217 codes. The largest amount is 9007199254740991 (2^53 - 1).

Times are ISO 8601 in UTC with milliseconds, such as \`2026-11-20T09:30:00.000Z\`. Requests may use
any usual form with an offset, such as \`2026-11-20T10:30+01\` or \`20261120T093000Z\`.

## Webhooks

Every event is sent to the endpoints that subscribe to its type, as a POST signed according to
[Standard Webhooks 1.0.0](https://www.standardwebhooks.com). Verify the signature over the raw bytes, before you parse
them.

Respond with any 2xx within 15 seconds. After anything else, including a redirect, the delivery is retried, ten times over
three days; 410 disables the endpoint. Events arrive at least once and in any order: \`webhook-id\` is the same for every
attempt. An event over ${WEBHOOK_DATA_MAX_BYTES / 1_000} kB is sent as its id only.
`.trim()
