import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  none: 'لا يوجد',
  nothing: 'لا شيء',
  metadata: 'بيانات وصفية',
  edit: 'تعديل',
  key: 'المفتاح',
  value: 'القيمة',
  addKey: 'إضافة مفتاح',
  removeKey: 'أفرِغ قيمة المفتاح لحذفه.',
  conflict: 'عدّل شخص آخر هذا أثناء تحريرك. اختر النسخة التي تبقى.',
  field: 'الحقل',
  mine: 'نسختك',
  theirs: 'المحفوظ الآن',
  keepMine: 'حفظ نسختي',
  takeTheirs: 'إبقاء المحفوظ',
}
