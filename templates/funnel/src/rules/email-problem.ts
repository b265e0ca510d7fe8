import type { Translation } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'

/** Reads what was typed, without spaces around it. */
export function emailOf(form: FormData): string {
  return (form.get('email') as string | null)?.trim() ?? '' // no field is for files
}

/** Validates the form of an e-mail address, and returns an error message or `null`. Does not check that it exists. */
export function emailProblem(email: string): Translation | null {
  if (email === '') return texts.emailMissing
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : texts.emailWrong
}
