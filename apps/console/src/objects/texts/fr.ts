import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  none: 'Aucun',
  'health.title': 'Processeurs des 15 dernières minutes',
  'health.titleOne': '15 dernières minutes',
  'health.closed': 'Fonctionne',
  'health.open': 'Mis de côté',
  'health.half_open': 'À l’essai',
  'health.openUntil': 'Il a échoué plusieurs fois de suite. Les paiements vont ailleurs jusqu’à {time}.',
  'health.openIn.one': 'C’est ce que constate {count} processus de la plateforme.',
  'health.openIn.other': 'C’est ce que constatent {count} processus de la plateforme.',
  'health.half': 'Il a échoué plusieurs fois de suite. Le prochain paiement l’essaie à nouveau.',
  'health.none': 'Aucune tentative',
  'health.approved.one': '{share} de {count} tentative approuvée',
  'health.approved.other': '{share} de {count} tentatives approuvées',
  'health.failed': '{count} sans réponse',
  'health.latency': 'la moitié en {median}, 95 % en {p95}',
  'exemption.low_value': 'faible montant',
  'exemption.low_risk': 'faible risque',
  'exemption.recurring': 'récurrent',
  'exemption.trusted': 'marchand de confiance',
  'exemption.secure_corporate': 'paiement d’entreprise sécurisé',
}
