import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  title: 'Erstattungsanträge',
  empty: 'Keine Erstattung wartet',
  emptyHint:
    'Erstattungen über der Grenze des Kontos warten hier auf eine zweite Person. Inhaber legen die Grenze auf der Seite des Kontos fest.',
  amount: 'Betrag',
  status: 'Status',
  requestedBy: 'Beantragt von',
  reason: 'Grund',
  expires: 'Läuft ab',
  decision: 'Entscheidung',
  decide: 'Entscheiden',
  request: 'Antrag',
  refundOf: 'Erstattung von {amount}',
  payment: 'Zahlung',
  requested: 'Beantragt',
  decidedBy: 'Entschieden von',
  decided: 'Entschieden',
  refund: 'Erstattung',
  own: 'Sie haben diese Erstattung beantragt, deshalb muss eine andere Person sie freigeben: Zwei Personen sehen jede Erstattung über der Grenze. Sie können sie zurückziehen.',
  effect:
    'Wenn Sie freigeben, geht {amount} auf die Karte des Käufers zurück. Das lässt sich nicht rückgängig machen. Wenn Sie ablehnen, wird nichts erstattet.',
  approve: '{amount} freigeben',
  decline: 'Ablehnen',
  takeBack: 'Zurückziehen',
}
