import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  none: 'لا يوجد',
  'health.title': 'المعالِجات في آخر 15 دقيقة',
  'health.titleOne': 'آخر 15 دقيقة',
  'health.closed': 'يعمل',
  'health.open': 'موقوف مؤقتًا',
  'health.half_open': 'قيد التجربة',
  'health.openUntil': 'أخفق عدة مرات متتالية. تذهب المدفوعات إلى غيره حتى {time}.',
  'health.openIn.one': 'هكذا تراه عملية واحدة من عمليات المنصة.',
  'health.openIn.other': 'هكذا تراه {count} من عمليات المنصة.',
  'health.half': 'أخفق عدة مرات متتالية. ستجرّبه الدفعة التالية من جديد.',
  'health.none': 'لا محاولات',
  'health.approved.one': 'الموافقة على {share} من محاولة واحدة',
  'health.approved.other': 'الموافقة على {share} من {count} محاولة',
  'health.failed': '{count} دون جواب',
  'health.latency': 'نصفها خلال {median}، و95% خلال {p95}',
  'exemption.low_value': 'مبلغ صغير',
  'exemption.low_risk': 'مخاطر منخفضة',
  'exemption.recurring': 'متكرر',
  'exemption.trusted': 'تاجر موثوق',
  'exemption.secure_corporate': 'دفع مؤسسي آمن',
}
