import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  amountIn: 'Betrag in {currency}',
  amountWrong: 'Geben Sie einen Betrag wie {example} ein.',
  addCurrency: 'Währung hinzufügen',
  chooseCurrency: 'Währung auswählen',
  removeCurrency: '{currency} entfernen',
  archive: 'Archivieren',
  unarchive: 'Wiederherstellen',
  edit: 'Bearbeiten',
  chooseStore: 'Shop auswählen',
  store: 'Shop',
}
