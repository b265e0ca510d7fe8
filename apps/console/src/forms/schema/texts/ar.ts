import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  separated: 'مفصولة بمسافات.',
  add: 'إضافة',
  item: 'العنصر',
  up: 'نقل العنصر {item} إلى أعلى',
  down: 'نقل العنصر {item} إلى أسفل',
  remove: 'إزالة العنصر {item}',
  choose: 'اختر',
  pick: 'اختيار لون: {field}',
  addLanguage: 'إضافة لغة',
  removeLanguage: 'إزالة {language}',
  json: 'بصيغة JSON.',
  noJson: 'هذا ليس JSON بعد: تحقق من علامات الاقتباس والفواصل والأقواس.',
}
