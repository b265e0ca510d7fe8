import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  separated: 'Durch Leerzeichen getrennt.',
  add: 'Hinzufügen',
  item: 'Eintrag',
  up: 'Eintrag {item} nach oben',
  down: 'Eintrag {item} nach unten',
  remove: 'Eintrag {item} entfernen',
  choose: 'Auswählen',
  pick: 'Farbe wählen: {field}',
  addLanguage: 'Sprache hinzufügen',
  removeLanguage: '{language} entfernen',
  json: 'Als JSON.',
  noJson: 'Das ist noch kein JSON: Prüfen Sie Anführungszeichen, Kommas und Klammern.',
}
