import type { Finding } from './finding.ts'

/** A value that must not be in pages. */
export interface HiddenValue {
  /** The file that defines it. */
  file: string
  /** The variable's name. */
  name: string
  value: string
}

/** Shorter values occur in pages by chance. */
const VALUE_MIN_CHARS = 8

interface SecretForm {
  /** A noun phrase for messages. */
  name: string
  /** Every match contains one of these. They are checked first, because that is fast. */
  hints: readonly string[]
  form: RegExp
}

/** The formats of well-known secrets. Sources: their issuers' documentation. */
const forms: readonly SecretForm[] = [
  { name: 'a secret key of Tillwright', hints: ['_sk_'], form: /\b(?:test|live)_sk_[0-9A-Za-z]{36}\b/g },
  { name: 'the secret of a webhook endpoint', hints: ['whsec_'], form: /\bwhsec_[A-Za-z0-9+/]{24,}=*/g },
  {
    name: 'a secret key of Stripe',
    hints: ['k_live_', 'k_test_'],
    form: /\b[sr]k_(?:test|live)_[0-9A-Za-z]{16,}/g,
  },
  { name: 'an access key of AWS', hints: ['AKIA', 'ASIA'], form: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  {
    name: 'a secret access key of AWS',
    hints: ['ecret', 'ECRET'],
    form: /(?<=aws_?secret_?access_?key["'\s:=]{1,8})[A-Za-z0-9/+]{40}\b/gi,
  },
  {
    name: 'a token of GitHub',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    form: /\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_[0-9A-Za-z_]{22,})/g,
  },
  { name: 'a token of npm', hints: ['npm_'], form: /\bnpm_[0-9A-Za-z]{36}\b/g },
  { name: 'a token of Slack', hints: ['xox'], form: /\bxox[abeoprs]-[0-9A-Za-z-]{10,}/g },
  { name: 'a private key', hints: ['-----BEGIN '], form: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g },
]

/**
 * Finds keys and tokens by their format, and values of variables that are not public. No finding repeats the secret.
 *
 * @param hidden Values of fewer than 8 characters are ignored.
 */
export function findSecrets(text: string, hidden: readonly HiddenValue[]): Finding[] {
  const possible = forms.filter(({ hints }) => hints.some((hint) => text.includes(hint)))
  const keys = possible.flatMap(({ name, form }) => [...text.matchAll(form)].map(({ index }) => ofForm(name, index)))
  return [...keys, ...hidden.flatMap((each) => findValue(text, each))]
}

function ofForm(name: string, index: number): Finding {
  const fix = 'Remove it, and rotate it at its issuer: anyone who saw this file knows it.'
  return { code: 'secret', severity: 'error', index, rule: `A page must not contain ${name}.`, fix }
}

/** Literally, and as escaped in a string of JSON or a script. */
function findValue(text: string, { file, name, value }: HiddenValue): Finding[] {
  if (value.length < VALUE_MIN_CHARS) return []
  const spelt = [value, JSON.stringify(value).slice(1, -1)].map((each) => text.indexOf(each))
  const [index] = spelt.filter((each) => each !== -1).toSorted((a, b) => a - b)
  if (index === undefined) return []
  const rule = `A page must not contain the value of ${name} from ${file}.`
  const fix = 'Remove the value; variables that pages may read start with PUBLIC_.'
  return [{ code: 'hidden-variable', severity: 'error', index, rule, fix }]
}

const publishableKey = /\b(test|live)_pk_[0-9A-Za-z]{36}\b/g

/** Publishable keys of the other environment: a live page would take no real money, or a test page would. */
export function findForeignKeys(text: string, target: 'test' | 'live'): Finding[] {
  return [...text.matchAll(publishableKey)].flatMap(({ 1: kind = '', index }) => {
    if (kind === target) return []
    const rule = `A build for a ${target} target must not contain a ${kind} key.`
    const fix = 'Read the key from the data that the platform gives the page, which always has the right one.'
    return { code: 'foreign-key', severity: 'error', index, rule, fix }
  })
}
