export {
  type AccountChange,
  accounts,
  findAccount,
  insertAccount,
  listAccounts,
  type ListedAccount,
  updateAccount,
} from './accounts.ts'
export {
  findApiKey,
  findListedKey,
  hashKeyText,
  keyFitsEnvironment,
  type KnownKey,
  listApiKeys,
  type ListedKey,
  newApiKey,
  type NewApiKey,
  newKeyText,
  readKeyText,
  revokeApiKey,
} from './api-keys.ts'
export {
  type Answer,
  CLAIM_LEASE_MS,
  claimKey,
  findKey,
  finishClaim,
  forgetExpiredKeys,
  giveUpClaim,
  type IdempotencyKey,
  openAnswer,
  releaseClaim,
  sealAnswer,
  storeAnswer,
} from './idempotency.ts'
export { type KeyUses, startKeyUses } from './key-uses.ts'
export { type Quota, type RateLimiter, rateLimiter } from './rate-limiter.ts'
export { accountsTable } from './tables.ts'
