import { type newsOfCard, renewedTo, replacedBy } from '../cards-on-file.ts'

/** The response codes of declined test cards, by the numbers that all drivers are tested with. */
export const declines: Readonly<Record<string, string>> = {
  '4000000000000002': '20099',
  '4000000000009995': '20051',
  '4000000000009987': '30041',
  '4000000000009979': '30043',
  '4000000000006975': '20065',
  '4100000000000019': '20059',
  '4000000000000069': '20054',
  '4000000000000127': '20087',
  '4000000000000119': '20096',
  '4000008260003178': '20051',
  '4000008400001629': '20099',
}

/** A card that is approved without the exemption that was asked for. */
export const NOT_EXEMPTED = '4000000000003014'

/** Cards whose issuer requires 3-D Secure. */
export const WANT_THREEDS: ReadonlySet<string> = new Set([
  '4000002500003155',
  '4000002760003184',
  '4000008260003178',
  '4000008400001629',
])

/** A card as it is now, and what the account updater has done about it. */
export function updated(news: ReturnType<typeof newsOfCard>): object {
  switch (news) {
    case 'closed':
      return { account_update_status: 'card_closed' }
    case 'renewed':
      return { account_update_status: 'card_expiry_updated', ...shown({ ...renewedTo, last4: '4004' }) }
    case 'replaced':
      return { account_update_status: 'card_updated', ...shown({ ...replacedBy, last4: replacedBy.newLast4 }) }
    case null:
      return {}
  }
}

function shown({ expMonth, expYear, last4 }: { expMonth: number; expYear: number; last4: string }): object {
  return { expiry_month: expMonth, expiry_year: expYear, last4 }
}
