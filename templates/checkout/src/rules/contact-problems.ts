import type { Translation } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'

/** The buyer's contact details. */
export interface Contact {
  email: string
  firstName: string
  lastName: string
}

/** Error messages by field. Valid fields are absent. */
export type ContactProblems = Partial<Record<keyof Contact, Translation>>

/** Reads what was typed, without spaces around it. */
export function contactOf(form: FormData): Contact {
  const read = (name: keyof Contact) => (form.get(name) as string | null)?.trim() ?? '' // no field is for files
  return { email: read('email'), firstName: read('firstName'), lastName: read('lastName') }
}

/** Validates the contact details. Does not check whether the e-mail address exists. */
export function contactProblems({ email, firstName, lastName }: Contact): ContactProblems {
  return {
    ...(email === '' && { email: texts.emailMissing }),
    ...(email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email: texts.emailWrong }),
    ...(firstName === '' && { firstName: texts.nameMissing }),
    ...(lastName === '' && { lastName: texts.nameMissing }),
  }
}
