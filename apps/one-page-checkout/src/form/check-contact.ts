/** Why a contact is not right; the end of a text's key. */
export type ContactComplaint = 'needed' | 'emailWrong' | 'phoneWrong'

const EMAIL_MAX_CHARS = 254

/**
 * Holds an e-mail address against the rule of the platform.
 *
 * @returns `null` for a good one.
 */
export function checkEmail(text: string): ContactComplaint | null {
  const email = text.trim()
  if (email === '') return 'needed'
  const isEmail = /^[\w.+'-]*[\w+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(email)
  const hasGap = email.startsWith('.') || email.includes('..')
  return isEmail && !hasGap && email.length <= EMAIL_MAX_CHARS ? null : 'emailWrong'
}

/** The same for a telephone number: 5 to 20 digits of any script, with what people write between them. */
export function checkPhone(text: string, isRequired: boolean): ContactComplaint | null {
  const phone = text.trim()
  if (phone === '') return isRequired ? 'needed' : null
  const digits = phone.replace(/[\s()./+-]/g, '')
  return /^\p{Nd}{5,20}$/u.test(digits) ? null : 'phoneWrong'
}
