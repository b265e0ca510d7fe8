import type { Settings } from '../options.ts'

/** Labels and messages of the methods, in one language. */
export type MethodTexts = typeof en

/** A language and its texts. */
export interface MethodLanguage {
  /** As BCP 47 has it. */
  language: string
  texts: MethodTexts
}

/** English, which is built in. In `leads`, `{}` is the method. */
const en = {
  legend: 'Payment method',
  card: 'Card',
  sepaDebit: 'SEPA direct debit',
  voucher: 'Voucher',
  leads: 'You pay on a page of {} and then come back here.',
  codeFollows: 'Next you get a code, and pay with it in a shop or at your bank.',
  holder: 'Account holder',
  mandate:
    'I authorise this shop to debit this account once, and my bank to carry it out. Within eight weeks my bank returns the money if I ask.',
  ibanForm: 'This is not an IBAN, like \u2066DE89 3704 0044 0532 0130 00\u2069.',
  ibanDigits: 'There is a mistake in this IBAN. Check the digits.',
  ibanMissing: 'Enter the IBAN.',
  holderMissing: 'Enter the name of the account holder.',
  mandateMissing: 'The debit needs your agreement.',
}

/** The other languages, each a file of the vault. */
export const languageTags = ['ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt']

/**
 * The language that serves a locale, and its texts: English for every other one, for what a file lacks, and where it does not
 * come. The page, whose pins are of scripts, loads no script for it.
 */
export async function loadTexts(locale: string, { vaultOrigin }: Settings): Promise<MethodLanguage> {
  const language = locale.toLowerCase().split(/[-_]/)[0] ?? ''
  if (!languageTags.includes(language)) return { language: 'en', texts: en }
  try {
    const file = await fetch(`${vaultOrigin}/v1/methods/${language}.json`)
    return { language, texts: { ...en, ...(await file.json()) } }
  } catch {
    return { language: 'en', texts: en }
  }
}
