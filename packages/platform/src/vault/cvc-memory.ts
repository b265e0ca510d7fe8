import type { Clock } from '../runtime/index.ts'

/** How long a security code may wait for its payment: as long as the service token of its card. */
export const CVC_TTL_MS = 15 * 60 * 1_000

/** How many codes wait at most; a further one drives out the oldest. */
const CAPACITY = 10_000

/**
 * Security codes between tokenisation and payment. They lie in this process's memory and nowhere else, since they must
 * not be stored, not even encrypted (PCI DSS 3.3.1).
 */
export interface CvcMemory {
  /** @param codeId The id of the card that was typed with the code; for a saved card's, the id of the code's token. */
  keep(codeId: string, cvc: string): void
  /** Lets a code wait on under the id of the payment that has claimed it; its time goes on. */
  move(codeId: string, paymentId: string): void
  /** The code, which is forgotten with this; `null` when there is none or its time is over. */
  take(codeId: string): string | null
  /** How many codes are held now. */
  readonly size: number
}

/** @param stopping Aborted when the platform stops: the codes are forgotten, and nothing waits for the clock any more. */
export function cvcMemory(clock: Clock, stopping: AbortSignal): CvcMemory {
  const codes = new Map<string, { cvc: string; untilMs: number }>()
  let sweeping = false

  async function sweep(): Promise<void> {
    if (sweeping) return
    sweeping = true
    while (codes.size > 0) {
      await clock.until(Math.min(...Array.from(codes.values(), ({ untilMs }) => untilMs)), stopping)
      forgetOld()
    }
    sweeping = false
  }

  function forgetOld(): void {
    for (const [codeId, { untilMs }] of codes) if (stopping.aborted || untilMs <= clock.now()) codes.delete(codeId)
  }

  return {
    keep(codeId, cvc) {
      const [oldestId] = codes.keys()
      if (codes.size >= CAPACITY && oldestId !== undefined) codes.delete(oldestId)
      codes.set(codeId, { cvc, untilMs: clock.now() + CVC_TTL_MS })
      void sweep()
    },
    move(codeId, paymentId) {
      const code = codes.get(codeId)
      if (code === undefined) return
      codes.delete(codeId)
      codes.set(paymentId, code)
    },
    take(codeId) {
      forgetOld()
      const code = codes.get(codeId)
      codes.delete(codeId)
      return code?.cvc ?? null
    },
    get size() {
      return codes.size
    },
  }
}
