import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  none: 'Keine',
  'health.title': 'Prozessoren in den letzten 15 Minuten',
  'health.titleOne': 'Letzte 15 Minuten',
  'health.closed': 'Arbeitet',
  'health.open': 'Ausgesetzt',
  'health.half_open': 'Auf Probe',
  'health.openUntil': 'Er hat mehrmals hintereinander versagt. Zahlungen gehen bis {time} woandershin.',
  'health.openIn.one': 'So sieht es {count} Prozess der Plattform.',
  'health.openIn.other': 'So sehen es {count} Prozesse der Plattform.',
  'health.half': 'Er hat mehrmals hintereinander versagt. Die nächste Zahlung versucht es wieder mit ihm.',
  'health.none': 'Keine Versuche',
  'health.approved.one': '{share} von {count} Versuch genehmigt',
  'health.approved.other': '{share} von {count} Versuchen genehmigt',
  'health.failed': '{count} ohne Antwort',
  'health.latency': 'die Hälfte in {median}, 95 % in {p95}',
  'exemption.low_value': 'Kleinbetrag',
  'exemption.low_risk': 'geringes Risiko',
  'exemption.recurring': 'wiederkehrend',
  'exemption.trusted': 'vertrauter Händler',
  'exemption.secure_corporate': 'sichere Unternehmenszahlung',
}
