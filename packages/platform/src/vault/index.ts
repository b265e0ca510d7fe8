export { type CardTries, findSender, forgetSenders, forgetUnusedCards, forgetUnusedTokens } from './card-senders.ts'
export { type CardKeys, openCardVault, sealedCards } from './card-vault.ts'
export { CardGone, type CardKind, type CardRow, deleteStoredCard, findCard, readCard } from './cards.ts'
export { CodeKeys, shareCodeKeys, forgetCodeKeys } from './code-keys.ts'
export { findsCardNumber, findsPrintedCardNumber } from './finds-card-number.ts'
export { type FrameFiles, type PinnedLoaders, readFrameFiles } from './frame-files.ts'
export {
  cardFramePage,
  type FrameCaller,
  type FrameQuery,
  type Onlookers,
  isIssuerAddress,
  type Page,
  refusedFrame,
  threedsFramePage,
  tooManyFrames,
  frameLater,
} from './frame-pages.ts'
export { forgetPasses } from './frame-sessions.ts'
export { forgetFormerJweKeys, type JweKeys, newestJweKeyMs, openJweKeys } from './jwe.ts'
export {
  forgetCodes,
  keepCode,
  moveCode,
  readTaken,
  type SealedCode,
  type SecurityCodes,
  securityCodes,
  takeCode,
} from './sealed-codes.ts'
export { redeemSecurityCode } from './sealed-codes.ts'
export { createSecurityCode } from './security-codes.ts'
export { redeemToken } from './redeem-token.ts'
export { siteverify, type VerifyChallenge } from './siteverify.ts'
export { cardsTable, securityCodesTable, type WalletApproval } from './tables.ts'
export {
  findDomainAssociation,
  findWallet,
  keepWallet,
  listAllWallets,
  listWallets,
  removeWallet,
  sealedWalletKeys,
  type ShownWalletKey,
  type StoredWallet,
  type WalletSettings,
} from './wallet-settings.ts'
export { type SimulatedWallets, wallets, type WalletServices } from './wallet-tokens.ts'
export { GoogleRootKeys, readGoogleKey, readIdentity, readProcessingKey, WalletKeyFault } from './wallets/index.ts'
export { createToken, type Gate } from './tokenize.ts'
export { checkChallenge, type VaultConfig, vaultSettings, vaultVariables } from './settings.ts'
export { vaultPersonalData } from './personal.ts'
