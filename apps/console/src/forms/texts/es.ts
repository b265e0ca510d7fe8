import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  amountIn: 'Importe en {currency}',
  amountWrong: 'Introduzca un importe como {example}.',
  addCurrency: 'Añadir una moneda',
  chooseCurrency: 'Elija una moneda',
  removeCurrency: 'Quitar {currency}',
  archive: 'Archivar',
  unarchive: 'Restaurar',
  edit: 'Editar',
  chooseStore: 'Elija una tienda',
  store: 'Tienda',
}
