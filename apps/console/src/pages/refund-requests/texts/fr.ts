import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  title: 'Demandes de remboursement',
  empty: 'Aucun remboursement n’attend',
  emptyHint:
    'Les remboursements au-dessus de la limite du compte attendent ici une seconde personne. Les propriétaires fixent la limite sur la page du compte.',
  amount: 'Montant',
  status: 'Statut',
  requestedBy: 'Demandé par',
  reason: 'Motif',
  expires: 'Expire',
  decision: 'Décision',
  decide: 'Décider',
  request: 'Demande',
  refundOf: 'Remboursement de {amount}',
  payment: 'Paiement',
  requested: 'Demandé',
  decidedBy: 'Décidé par',
  decided: 'Décidé',
  refund: 'Remboursement',
  own: 'Vous avez demandé ce remboursement, une autre personne doit donc l’approuver : deux personnes voient chaque remboursement au-dessus de la limite. Vous pouvez le retirer.',
  effect:
    'Si vous approuvez, {amount} retourne sur la carte de l’acheteur. C’est irréversible. Si vous refusez, rien n’est remboursé.',
  approve: 'Approuver {amount}',
  decline: 'Refuser',
  takeBack: 'Retirer',
}
