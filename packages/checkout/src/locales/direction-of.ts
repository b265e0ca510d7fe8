const rightToLeft = ['ar', 'fa', 'he', 'ur']

/** Which way a language of the form is written. `Intl.Locale` knows it as well, but not in every browser. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.includes(locale) ? 'rtl' : 'ltr'
}
