import type { Translation } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'

/** Reads what was typed, without spaces around it. */
export function emailOf(form: FormData): string {
  return (form.get('email') as string | null)?.trim() ?? '' // no field is for files
}

/** What the buyer should mend in an address; nothing where it may be one. Whether it exists, only a message can tell. */
export function emailProblem(email: string): Translation | null {
  if (email === '') return texts.emailMissing
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : texts.emailWrong
}
