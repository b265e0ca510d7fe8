import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  amountIn: 'Montant en {currency}',
  amountWrong: 'Saisissez un montant tel que {example}.',
  addCurrency: 'Ajouter une devise',
  chooseCurrency: 'Choisissez une devise',
  removeCurrency: 'Retirer {currency}',
  archive: 'Archiver',
  unarchive: 'Restaurer',
  edit: 'Modifier',
  chooseStore: 'Choisissez une boutique',
  store: 'Boutique',
}
