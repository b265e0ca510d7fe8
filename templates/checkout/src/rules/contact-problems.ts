import type { Translation } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'

/** What a buyer says of themselves. */
export interface Contact {
  email: string
  firstName: string
  lastName: string
}

/** What is wrong, by the name of the field; nothing where all is right. */
export type ContactProblems = Partial<Record<keyof Contact, Translation>>

/** Reads what was typed, without spaces around it. */
export function contactOf(form: FormData): Contact {
  const read = (name: keyof Contact) => (form.get(name) as string | null)?.trim() ?? '' // no field is for files
  return { email: read('email'), firstName: read('firstName'), lastName: read('lastName') }
}

/** Looks for what the buyer should mend. Whether an address exists, only a message to it can tell. */
export function contactProblems({ email, firstName, lastName }: Contact): ContactProblems {
  return {
    ...(email === '' && { email: texts.emailMissing }),
    ...(email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email: texts.emailWrong }),
    ...(firstName === '' && { firstName: texts.nameMissing }),
    ...(lastName === '' && { lastName: texts.nameMissing }),
  }
}
