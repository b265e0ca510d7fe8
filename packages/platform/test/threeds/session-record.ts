import type { SessionRecord } from '../../src/threeds/session-records.ts'

/** A session of a payment as it is read from the database: a new one, unless `change` says otherwise. */
export function sessionRecord(change: Partial<SessionRecord> = {}): SessionRecord {
  return {
    accountId: 'acc_1',
    id: 'threeds_1',
    storeId: 'store_1',
    customerId: 'cus_1',
    paymentInstrumentId: 'pi_1',
    provider: 'vendor_a',
    externalSessionId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    status: 'created',
    leaseUntilMs: 0,
    expiresAtMs: 9,
    createdAtMs: 0,
    keyId: null,
    requestHash: null,
    returnUrl: null,
    valueToldAtMs: null,
    recommendedVersion: null,
    paymentId: 'pay_1',
    isPreview: false,
    methodStartedAtMs: null,
    methodNotifiedAtMs: null,
    authentication: null,
    result: null,
    ...change,
  }
}
