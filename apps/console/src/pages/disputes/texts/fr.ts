import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  title: 'Litiges',
  empty: 'Aucun litige',
  emptyHint:
    'Aucun acheteur n’a contesté de paiement jusqu’ici. Pour en voir un avant la production, payez avec cette carte de test :',
  amount: 'Montant',
  status: 'Statut',
  kind: 'Type',
  'kind.chargeback': 'Rétrofacturation',
  'kind.inquiry': 'Demande d’information',
  reason: 'Motif',
  payment: 'Paiement',
  order: 'Commande',
  created: 'Ouvert',
  closed: 'Clos',
  details: 'Détails',
  money: 'Ce que cela signifie pour l’argent',
  'meaning.chargeback':
    'Le prestataire retient ce montant jusqu’à la décision de la banque. Répondez avec vos preuves chez le prestataire ; il ne peut pas être remboursé entre-temps.',
  'meaning.inquiry':
    'La banque ne fait que demander, et rien n’est retenu. Répondez chez le prestataire ; si le litige est perdu, le montant est retiré.',
  'meaning.won': 'La banque a tranché en votre faveur. Ce qui était retenu est de nouveau à vous.',
  'meaning.lost': 'La banque a tranché en faveur de l’acheteur. L’argent est définitivement perdu.',
  customer: 'Client',
  card: 'Carte',
  processor: 'Prestataire',
  threeds: '3-D Secure',
  yes: 'Oui',
  no: 'Non',
  refunded: 'Remboursé',
  paid: 'Payé',
}
