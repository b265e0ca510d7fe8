import type { BrandName } from '../card/networks.ts'

/** What a brand is called, the same in every language; empty while it is unknown. */
export const brandTitles: Readonly<Record<BrandName, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  elo: 'Elo',
  mir: 'Mir',
  hiper: 'Hiper',
  hipercard: 'Hipercard',
  verve: 'Verve',
  troy: 'Troy',
  rupay: 'RuPay',
  uatp: 'UATP',
  cartes_bancaires: 'Cartes Bancaires',
  bancontact: 'Bancontact',
  unknown: '',
}
