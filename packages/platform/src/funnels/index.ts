export { addPluginStep } from './add-plugin-step.ts'
export { findEntry, findFunnel, type FunnelEntry, pageForStep, type StoredFunnel } from './funnel-rows.ts'
export { funnels, funnelWrites } from './funnels.ts'
export { isOpenPreview, pickVariant } from './previews.ts'
export {
  findTokenHolder,
  forgetReplacedTokens,
  isReplacedToken,
  newSessionCode,
  newSessionToken,
  noteReplaced,
  readSessionCode,
  readSessionToken,
  renewToken,
  SESSION_CODE_LIFETIME_MS,
  SESSION_TOKEN_LIFETIME_MS,
  SESSION_TOKEN_MAX_MS,
  tokenReplaced,
} from './session-tokens.ts'
export { forgetIdleSessions, funnelSessions, insertSession, insertStoreSession, stepProperties } from './sessions.ts'
export { funnelSessionsTable } from './tables.ts'
export { funnelsPersonalData } from './personal.ts'
