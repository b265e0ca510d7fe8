import type { BrandName } from '@tillwright/contract/networks'

/** Those that are not simply their name with a capital. */
const titles: { readonly [K in BrandName]?: string } = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  rupay: 'RuPay',
  uatp: 'UATP',
  cartes_bancaires: 'Cartes Bancaires',
  unknown: '',
}

/** What a brand is called, the same in every language; empty while it is unknown. */
export function brandTitle(name: BrandName): string {
  return titles[name] ?? name.replace(/^./, (letter) => letter.toUpperCase())
}
