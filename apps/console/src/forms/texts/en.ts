export const texts = {
  amountIn: 'Amount in {currency}',
  amountWrong: 'Enter an amount such as {example}.',
  addCurrency: 'Add a currency',
  chooseCurrency: 'Choose a currency',
  removeCurrency: 'Remove {currency}',
  archive: 'Archive',
  unarchive: 'Restore',
  edit: 'Edit',
  chooseStore: 'Choose a store',
  store: 'Store',
} as const
