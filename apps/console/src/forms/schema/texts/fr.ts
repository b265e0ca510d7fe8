import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  separated: 'Séparés par des espaces.',
  add: 'Ajouter',
  item: 'Élément',
  up: 'Monter l’élément {item}',
  down: 'Descendre l’élément {item}',
  remove: 'Retirer l’élément {item}',
  choose: 'Choisir',
  pick: 'Choisir une couleur : {field}',
  addLanguage: 'Ajouter une langue',
  removeLanguage: 'Retirer {language}',
  json: 'En JSON.',
  noJson: 'Ce n’est pas encore du JSON : vérifiez les guillemets, les virgules et les crochets.',
}
