import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  none: 'Aucun',
  nothing: 'Rien',
  metadata: 'Métadonnées',
  edit: 'Modifier',
  key: 'Clé',
  value: 'Valeur',
  addKey: 'Ajouter une clé',
  removeKey: 'Videz la valeur d’une clé pour la supprimer.',
  conflict: 'Quelqu’un d’autre a modifié ceci pendant que vous l’éditiez. Choisissez la version à garder.',
  field: 'Champ',
  mine: 'La vôtre',
  theirs: 'Enregistré',
  keepMine: 'Enregistrer la mienne',
  takeTheirs: 'Garder ce qui est enregistré',
}
