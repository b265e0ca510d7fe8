import { erroOf } from '../emv/erro-of.ts'
import { isRecord } from '../emv/formats.ts'
import type { EmvMessage, EmvValue } from '../emv/emv-message.ts'

/** What a 3DS server says to a result that it does not wait for: that it does not know the transaction. */
export async function refuseResult(rreq: unknown): Promise<EmvMessage> {
  const about = rreq as EmvValue // what the issuer sends is made of JSON
  return erroOf({ code: '301', detail: 'threeDSServerTransID', component: 'S', about: isRecord(about) ? about : {} })
}
