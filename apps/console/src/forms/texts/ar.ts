import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  amountIn: 'المبلغ بعملة {currency}',
  amountWrong: 'أدخل مبلغًا مثل {example}.',
  addCurrency: 'إضافة عملة',
  chooseCurrency: 'اختر عملة',
  removeCurrency: 'إزالة {currency}',
  archive: 'أرشفة',
  unarchive: 'استعادة',
  edit: 'تعديل',
  chooseStore: 'اختر متجرًا',
  store: 'المتجر',
}
