import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  none: 'Ninguno',
  nothing: 'Nada',
  metadata: 'Metadatos',
  edit: 'Editar',
  key: 'Clave',
  value: 'Valor',
  addKey: 'Añadir una clave',
  removeKey: 'Vacíe el valor de una clave para quitarla.',
  conflict: 'Otra persona ha cambiado esto mientras usted lo editaba. Elija qué versión se conserva.',
  field: 'Campo',
  mine: 'La suya',
  theirs: 'Guardado ahora',
  keepMine: 'Guardar la mía',
  takeTheirs: 'Conservar lo guardado',
}
