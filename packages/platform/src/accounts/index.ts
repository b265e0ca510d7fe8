export {
  type AccountChange,
  accounts,
  findAccount,
  insertAccount,
  listAccounts,
  type ListedAccount,
  oneAfterAnother,
  updateAccount,
} from './accounts.ts'
export {
  endedKey,
  findApiKey,
  findListedKey,
  hashKeyText,
  keyFitsEnvironment,
  type KnownKey,
  type ListedKey,
  newApiKey,
  type NewApiKey,
  newKeyText,
  readKeyText,
  revokeApiKey,
} from './api-keys.ts'
export {
  type Answer,
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
export { type PluginUse, pluginUse, removedDeployments } from './plugin-room.ts'
export { apiKeys, asCaller, checkAllowedOrigins, readKeyPage, rollApiKey } from './manage-keys.ts'
export { type KeyUses, startKeyUses } from './key-uses.ts'
export { type Quota, type RateLimiter, rateLimiter } from './rate-limiter.ts'
export { accountsTable, apiKeysTable } from './tables.ts'
export { accountsPersonalData } from './personal.ts'
