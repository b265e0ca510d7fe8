import type { JSX } from 'preact'
import { useWords } from '../texts/use-words.tsx'
import type { Complaint, FieldName } from './complaints-of.ts'

interface FieldNotesProps {
  name: FieldName
  hint: string | undefined
  complaint: Complaint | null
}

/** The note below a field: its hint or its error. */
export function FieldNotes({ name, hint, complaint }: FieldNotesProps): JSX.Element | null {
  const say = useWords()
  if (complaint !== null) {
    return (
      <p class="complaint" id={`${name}-complaint`}>
        {say(complaint.text, complaint.values)}
      </p>
    )
  }
  return hint === undefined ? null : (
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
  )
}

/** The `aria-describedby` of a field. */
export function noteIds(name: FieldName, hint: string | undefined, complaint: Complaint | null): string | undefined {
  if (complaint !== null) return `${name}-complaint`
  return hint === undefined ? undefined : `${name}-hint`
}
