import type { Payment } from '@tillwright/contract'
import type { Call } from '../call.ts'
import type { Emitter } from '../events/emit.ts'

/** Whoever emits the events of a payment: those of a preview's are drafts, whoever moves it. */
export function emitterOf({ preview }: Pick<Payment, 'preview'>, emitter: Emitter): Emitter {
  return preview === null ? emitter : { ...emitter, caller: { ...emitter.caller, isPreview: true } }
}

/** The same for a request that goes on with a payment. */
export function callOf({ preview }: Pick<Payment, 'preview'>, call: Call): Call {
  return preview === null ? call : { ...call, caller: { ...call.caller, isPreview: true } }
}
