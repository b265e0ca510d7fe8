/** What the stand-in refuses a test card for: code, reason, what the acquirer says, and the advice of its network. */
export type Refusal = readonly [code: string, reason: string, raw: string, advice?: string]

/** By the numbers of the cards that all drivers are tested with. */
export const refusals: Readonly<Record<string, Refusal>> = {
  '4000000000000002': ['2', 'Refused', '00 : DECLINED'],
  '4000000000009995': ['12', 'Not enough balance', '51 : Insufficient funds'],
  '4000000000009987': ['5', 'Blocked Card', '41 : Lost card'],
  '4000000000009979': ['5', 'Blocked Card', '43 : Stolen card'],
  '4000000000006975': ['29', 'Withdrawal count exceeded', '65 : Exceeds withdrawal frequency limit'],
  '4100000000000019': ['20', 'FRAUD', ''],
  '4000000000000069': ['6', 'Expired Card', '54 : Expired card'],
  '4000000000000127': ['24', 'CVC Declined', 'N7 : CVC declined'],
  '4000000000000119': ['4', 'Acquirer Error', '96 : System malfunction'],
  '4000008260003178': ['12', 'Not enough balance', '51 : Insufficient funds'],
  '4000008400001629': ['2', 'Refused', '00 : DECLINED'],
}

/** Cards whose issuer wants 3-D Secure before it says anything else. */
export const wantThreeds: ReadonlySet<string> = new Set([
  '4000002500003155',
  '4000002760003184',
  '4000008260003178',
  '4000008400001629',
])

/** A card on file that its issuer has renewed. */
export const RENEWED = '4000000000000341'
const RENEWED_UNTIL = '6/2043'

/** A card on file whose account was closed. */
export const CLOSED = '4000000000000259'

/** A card as it is sent. */
export interface OnFile {
  number?: string
  expiryMonth?: string
  expiryYear?: string
}

/** How a card on file is refused: with the reason that says least, because only the account updater says why. */
export function refusalOnFile({ number }: OnFile, shopperInteraction: string | undefined): Refusal | undefined {
  return number === CLOSED && shopperInteraction === 'ContAuth' ? ['2', 'Refused', '05 : Do not honor'] : undefined
}

/** The news that the account updater of its network has of a card on file. */
export function newsOf(
  { number, expiryMonth, expiryYear }: OnFile,
  shopperInteraction: string | undefined,
): Record<string, string> {
  if (shopperInteraction !== 'ContAuth') return {}
  if (number === CLOSED) return { realtimeAccountUpdaterStatus: 'CloseAccount' }
  if (number !== RENEWED || `${Number(expiryMonth)}/${expiryYear}` === RENEWED_UNTIL) return {}
  return { realtimeAccountUpdaterStatus: 'CardExpiryChanged', expiryDate: RENEWED_UNTIL }
}
