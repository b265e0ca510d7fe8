import { wallets } from './page/wallets/wallets.ts'

// For pages that pin their scripts: after the loader, which finds it here.
window.Tillwright.wallets = wallets
