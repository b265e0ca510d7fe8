import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  title: 'Zahlungsstreitfälle',
  empty: 'Keine Streitfälle',
  emptyHint:
    'Bisher hat kein Käufer eine Zahlung angefochten. Um vor dem Livebetrieb einen Fall zu sehen, zahlen Sie mit dieser Testkarte:',
  amount: 'Betrag',
  status: 'Status',
  kind: 'Art',
  'kind.chargeback': 'Rückbuchung',
  'kind.inquiry': 'Anfrage',
  reason: 'Grund',
  payment: 'Zahlung',
  order: 'Bestellung',
  created: 'Eröffnet',
  closed: 'Geschlossen',
  details: 'Angaben',
  money: 'Was es für das Geld bedeutet',
  'meaning.chargeback':
    'Der Zahlungsdienstleister hält den Betrag zurück, bis die Bank entscheidet. Antworten Sie dort mit Ihren Belegen; erstattet werden kann er solange nicht.',
  'meaning.inquiry':
    'Die Bank fragt bisher nur, und nichts ist zurückgehalten. Antworten Sie beim Zahlungsdienstleister; geht der Fall verloren, wird der Betrag eingezogen.',
  'meaning.won': 'Die Bank hat für Sie entschieden. Was zurückgehalten war, gehört wieder Ihnen.',
  'meaning.lost': 'Die Bank hat für den Käufer entschieden. Das Geld ist endgültig verloren.',
  customer: 'Kunde',
  card: 'Karte',
  processor: 'Zahlungsdienstleister',
  threeds: '3-D Secure',
  yes: 'Ja',
  no: 'Nein',
  refunded: 'Erstattet',
  paid: 'Bezahlt',
}
