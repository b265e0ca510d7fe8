import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  separated: 'Separados por espacios.',
  add: 'Añadir',
  item: 'Elemento',
  up: 'Subir el elemento {item}',
  down: 'Bajar el elemento {item}',
  remove: 'Quitar el elemento {item}',
  choose: 'Elegir',
  pick: 'Elegir un color: {field}',
  addLanguage: 'Añadir un idioma',
  removeLanguage: 'Quitar {language}',
  json: 'En JSON.',
  noJson: 'Aún no es JSON: revise comillas, comas y corchetes.',
}
