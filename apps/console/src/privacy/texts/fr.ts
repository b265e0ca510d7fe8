import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  'kept.records_of_sales':
    'Les montants, devises, dates et identifiants sont des pièces de vente que le droit fiscal et comptable impose de conserver.',
  'kept.card_of_disputes':
    'La marque et les quatre derniers chiffres indiquent quel paiement concerne une question ou un litige de la banque.',
  'kept.bank_of_card':
    'Les premiers chiffres désignent la banque, pas le titulaire ; les rapports de routage et de frais en ont besoin.',
  'kept.proof_of_authentication':
    'La manière dont le titulaire a été authentifié est la preuve avec laquelle le marchand répond à un litige.',
  'kept.name_of_nobody':
    'Les commandes, paiements et événements désignent leur client par cet identifiant, qui ne dit rien en soi.',
  'kept.id_of_event': 'Les destinataires connaissent les événements par cet identifiant.',
  'kept.what_happened': 'Ce qui est arrivé à une commande ou à un paiement et quand, sans la personne.',
  'remains.backups':
    'Les sauvegardes antérieures contiennent les données jusqu’à leur suppression. En restaurer une efface de nouveau le client : /guide/security/privacy explique comment.',
  'remains.sqlite_pages':
    'Le fichier de la base a été écrasé et son journal vidé. L’espace inutilisé d’une page d’index scindée peut garder un mot jusqu’à sa réécriture : VACUUM y met fin.',
  'remains.postgres_files':
    'Les fichiers de PostgreSQL (espace libre des pages, journal d’écriture anticipée, réplicas en retard) gardent d’anciens octets jusqu’à leur écrasement : VACUUM FULL et la fin de conservation du journal y mettent fin.',
  'remains.other_systems':
    'Les processeurs, les destinataires de webhooks et d’autres systèmes gardent ce qui leur a été envoyé ; demandez à chacun de le supprimer.',
}
