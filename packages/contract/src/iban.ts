/** An IBAN as it is sent: without blanks, and in capitals. */
export function plainIban(typed: string): string {
  return typed.replaceAll(/\s/g, '').toUpperCase()
}

const FORM = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/

/**
 * Why a plain text is no IBAN, or `null` where it is one: `form` where it does not look like one (ISO 13616), `check_digits`
 * where a character is wrong or two are swapped (ISO 7064, MOD 97-10).
 */
export function ibanFault(plain: string): 'form' | 'check_digits' | null {
  if (!FORM.test(plain)) return 'form'
  const digits = [...plain.slice(4), ...plain.slice(0, 4)].map((each) => Number.parseInt(each, 36)).join('')
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1 ? null : 'check_digits'
}
