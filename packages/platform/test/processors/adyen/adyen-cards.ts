import { CLOSED, newsOfCard, renewedTo, replacedBy } from '../cards-on-file.ts'

/** The refusal of a test card: Adyen's code and reason, the acquirer's response, and the network's advice. */
export type Refusal = readonly [code: string, reason: string, raw: string, advice?: string]

/** Refusals by the numbers of the cards that all drivers are tested with. */
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

/** Cards whose issuer requires 3-D Secure. */
export const wantThreeds: ReadonlySet<string> = new Set([
  '4000002500003155',
  '4000002760003184',
  '4000008260003178',
  '4000008400001629',
])

/** The card of a request. */
export interface OnFile {
  number?: string
  expiryMonth?: string
  expiryYear?: string
}

/** The refusal of a card on file: the generic one, because only the account updater knows why. */
export function refusalOnFile({ number }: OnFile, shopperInteraction: string | undefined): Refusal | undefined {
  return number === CLOSED && shopperInteraction === 'ContAuth' ? ['2', 'Refused', '05 : Do not honor'] : undefined
}

/** The account updater's news of a card on file. */
export function newsOf(
  { number = '', expiryMonth, expiryYear }: OnFile,
  shopperInteraction: string | undefined,
): Record<string, string> {
  if (shopperInteraction !== 'ContAuth') return {}
  switch (newsOfCard({ number, expMonth: Number(expiryMonth), expYear: Number(expiryYear) })) {
    case 'closed':
      return { realtimeAccountUpdaterStatus: 'CloseAccount' }
    case 'renewed':
      return { realtimeAccountUpdaterStatus: 'CardExpiryChanged', expiryDate: dateOf(renewedTo) }
    case 'replaced':
      return {
        realtimeAccountUpdaterStatus: 'CardChanged',
        expiryDate: dateOf(replacedBy),
        cardSummary: replacedBy.newLast4,
      }
    case null:
      return {}
  }
}

function dateOf({ expMonth, expYear }: { expMonth: number; expYear: number }): string {
  return `${expMonth}/${expYear}`
}
