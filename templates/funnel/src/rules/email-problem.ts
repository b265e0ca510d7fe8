import type { Translation } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'

/** What the buyer should mend in an address; nothing where it may be one. Whether it exists, only a message can tell. */
export function emailProblem(email: string): Translation | null {
  if (email === '') return texts.emailMissing
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : texts.emailWrong
}
