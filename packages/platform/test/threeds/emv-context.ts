import { unknownBrowser } from '../../src/threeds/browser-data.ts'
import type { EmvContext } from '../../src/threeds/emv-request.ts'

/** Context of the authentication of a Visa card at 2030-01-02T03:04:05.678Z, with the changes in `change`. */
export function emvContext(change: Partial<EmvContext> = {}): EmvContext {
  return {
    transactionId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    card: { number: '4242424242424242', brand: 'visa', expMonth: 3, expYear: 2031 },
    requestor: { id: 'acc_1', name: 'Canvas & Co', url: 'https://shop.example' },
    vaultUrl: 'https://vault.example',
    browser: unknownBrowser,
    methodCompletion: 'U',
    decoupledMinutes: 0,
    nowMs: Date.UTC(2030, 0, 2, 3, 4, 5, 678),
    ...change,
  }
}
