import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  none: 'Keine',
  nothing: 'Nichts',
  metadata: 'Metadaten',
  edit: 'Bearbeiten',
  key: 'Schlüssel',
  value: 'Wert',
  addKey: 'Schlüssel hinzufügen',
  removeKey: 'Leeren Sie den Wert eines Schlüssels, um ihn zu entfernen.',
  conflict: 'Jemand anderes hat dies geändert, während Sie es bearbeitet haben. Wählen Sie, welche Fassung bleibt.',
  field: 'Feld',
  mine: 'Ihre Fassung',
  theirs: 'Jetzt gespeichert',
  keepMine: 'Meine speichern',
  takeTheirs: 'Gespeicherte behalten',
}
