export { type Appearance, type AppearanceVariable, isAppearance, themes } from './appearance.ts'
export { isBoolean, isSmallInteger, isText, objectOf, oneOf, parseMessage } from './guards.ts'
export {
  type Handshake,
  HELLO_AFTER_LOAD_MS,
  isHandshake,
  PING_EVERY_MS,
  UNANSWERED_MAX,
  WIRE_VERSION,
} from './handshake.ts'
export { isNetworkFilter, isTokenCard, toFrame, type ToFrame, type ToPage, toPage } from './messages.ts'
export {
  ISSUER_SANDBOX,
  isThreedsNotice,
  parseThreedsToFrame,
  type ThreedsNotice,
  type ThreedsOutcome,
  type ThreedsStep,
  type ThreedsToFrame,
  threedsToPage,
  type ThreedsToPage,
  type WindowSize,
  windowSizes,
} from './threeds.ts'
