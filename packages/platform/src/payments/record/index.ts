export { readReturn, RETURN_PATH, returnAddress } from './return-address.ts'
export { wantsBuyer } from './exemption.ts'
export { keepConsent, storedCredentialOf } from './stored-credential.ts'
export { type BuiltPayment, buildPayment } from './build-payment.ts'
export type { Starting } from './insert-payment.ts'
export {
  buyersUntilMs,
  CONTINUE_WITHIN_MS,
  leaveToBuyer,
  sessionFor,
  waitWrites,
  withNextAction,
} from './build-payment.ts'
