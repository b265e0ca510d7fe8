import type { Caller, RequestContext, Services } from '../src/request-context.ts'
import { newId } from '../src/runtime/randomness.ts'

/**
 * A request as a handler gets it, at the clock's time, by a secret key of an account.
 *
 * @param caller The key's account, and what is other than with a key without roles.
 */
export function keyCall<Of extends Services>(
  services: Of,
  caller: Pick<Caller, 'accountId'> & Partial<Caller>,
): Omit<RequestContext, 'begin' | 'services'> & { services: Of } {
  const nowMs = services.clock.now()
  return {
    services,
    nowMs,
    requestId: 'req_1',
    address: '127.0.0.1',
    newId: (prefix) => newId(prefix, nowMs, services.randomness),
    idempotencyKey: null,
    fault: null,
    caller: {
      actor: { kind: 'key', id: 'key_1', name: null },
      keyId: 'key_1',
      kind: 'secret',
      roles: [],
      scopes: [],
      plan: 'standard',
      rateLimit: { perMinute: 100, burst: 150 },
      storeId: null,
      allowedOrigins: [],
      ...caller,
    },
  }
}
