import type { Finding } from './finding.ts'

const element = /(["'`])(input|textarea|label)\1,\s*(?=\{)/g
/*
 * Every pattern below takes linear time on any script: within quotes, each character can be matched in only one way, as
 * part of an escape or not.
 */
const property =
  /["'`]?\b(name|id|type|placeholder|title|autocomplete|aria-label)["'`]?\s*:\s*(["'`])((?:\\.|(?!\2)[^\\\n\r\u2028\u2029])*)\2/gi
/** Escapes outside quotes are skipped, so that a quote after one starts no string. */
const stringLiteral = /\\.|(["'`])((?:\\.|(?!\1)[^\\\n\r\u2028\u2029])*)\1/g
const assignment =
  /(?:\.(name|id|placeholder|title|autocomplete|ariaLabel)\s*=\s*|\.setAttribute\(\s*["'`](name|id|placeholder|title|autocomplete|aria-label)["'`]\s*,\s*)(["'`])((?:\\.|(?!\3)[^\\\n\r\u2028\u2029])*)\3/g
/**
 * Properties that components pass to their input. Titles and labels are not included: every table of texts has them.
 */
const ofComponents = /^(?:name|id|placeholder)$/i
const createsInput = /\.createElement\(\s*["'`](?:input|textarea)["'`]/

/**
 * Finds inputs for card details in a built script: elements of JSX and `createElement`, properties and attributes set
 * on one, and HTML in strings. An input is recognised by `autocomplete`, name, id, placeholder, title and label. Inputs
 * whose attributes are only known at run time are not found, nor are editable elements.
 */
export function findCardFields(script: string): Finding[] {
  const elements = elementsOf(script)
  const properties = propertiesOutside(elements, script)
  const makesInput = createsInput.test(script)
  return [
    ...elements.flatMap(elementFinding),
    ...findCardFieldsInHtml(script.replaceAll(/\\(["'`])/g, ' $1')),
    ...[...script.matchAll(assignment)].flatMap((match) => assignmentFinding(match, makesInput)),
    ...properties.flatMap(propertyFinding),
  ]
}

/** Finds the same in a document, or in any other text with tags. */
export function findCardFieldsInHtml(html: string): Finding[] {
  return [...html.matchAll(/<(?:input|textarea)\b[^<>]*/gi)].flatMap(({ 0: tag, index }) => {
    const attributes = [...tag.matchAll(/\s([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)]
    const values = new Map(attributes.map(([, name = '', a, b, c]) => [name.toLowerCase(), a ?? b ?? c ?? '']))
    return takesCard(values) ? certain(index) : []
  })
}

/** A call that creates an element. */
interface ScriptElement {
  name: string
  index: number
  end: number
  /** The source text of its attributes. */
  attributes: string
}

/** How often a script may be read for the attributes of nested elements; deeper ones are read partially. */
const NESTED_READS = 8
const DEEP_ATTRIBUTES_CHARS = 1_000

function elementsOf(script: string): ScriptElement[] {
  let left = NESTED_READS * script.length
  return Array.from(script.matchAll(element), ({ 0: head, 2: name = '', index }) => {
    const start = index + head.length
    const attributes = readObject(script, start, start + Math.max(left, DEEP_ATTRIBUTES_CHARS))
    left -= attributes.length
    return { name, index, end: start + attributes.length, attributes }
  })
}

/** Properties of inputs are already judged with the input. */
function propertiesOutside(elements: readonly ScriptElement[], script: string): RegExpExecArray[] {
  const inputs = elements.filter(({ name }) => name !== 'label')
  let next = 0
  let end = 0
  return [...script.matchAll(property)].filter(({ index }) => {
    for (let input = inputs[next]; input !== undefined && input.index <= index; input = inputs[++next]) {
      end = Math.max(end, input.end)
    }
    return index >= end
  })
}

function elementFinding({ name, index, attributes }: ScriptElement): Finding[] {
  if (name === 'label') {
    const asks = [...attributes.matchAll(stringLiteral)].some(([, , words = '']) => isCardLabel(words))
    return asks ? [suspected(index)] : []
  }
  const pairs = [...attributes.matchAll(property)].map(
    ([, key = '', , value = '']) => [key.toLowerCase(), value] as const,
  )
  return takesCard(new Map(pairs)) ? [certain(index)] : []
}

function assignmentFinding({ 1: field, 2: attribute, 4: value = '', index }: RegExpExecArray, makesInput: boolean) {
  const key = (field ?? attribute ?? '').toLowerCase().replace('arialabel', 'aria-label')
  if (key !== 'autocomplete' && !makesInput) return []
  return takesCard(new Map([[key, value]])) ? [certain(index)] : []
}

/** A property of an object: possibly of a component that renders an input from it. */
function propertyFinding({ 1: key = '', 3: value = '', index }: RegExpExecArray): Finding[] {
  if (key.toLowerCase() === 'autocomplete') return isCardAutofill(value) ? [certain(index)] : []
  return ofComponents.test(key) && takesCard(new Map([[key.toLowerCase(), value]])) ? [suspected(index)] : []
}

const fix = 'Use the card form of @tillwright/checkout: card numbers may only be entered in its frame.'

function certain(index: number): Finding {
  const rule = 'No input of a page may take a card number, a security code or an expiry date.'
  return { code: 'card-field', severity: 'error', index, rule, fix }
}

function suspected(index: number): Finding {
  const rule = 'This seems to create a field for card numbers, which a page must not have.'
  return { code: 'card-field-suspected', severity: 'warning', index, rule, fix }
}

/**
 * The object literal at an offset of a script, including its braces; to the end of the script if it never closes, or to
 * `stop`. Strings are skipped. A brace within a regular expression can mislead it, which at worst misses a finding.
 */
function readObject(script: string, start: number, stop = script.length): string {
  let depth = 0
  let quote = ''
  const last = Math.min(stop, script.length)
  for (let index = start; index < last; index += 1) {
    const char = script.charAt(index)
    if (quote !== '') {
      if (char === '\\') index += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'" || char === '`') quote = char
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    if (depth === 0 && quote === '') return script.slice(start, index + 1)
  }
  return script.slice(start, last)
}

/** Input types that take no typed number. */
const untyped = /^(?:hidden|checkbox|radio|submit|button|image|reset|range|color|file|date|month|week|time)$/i

/**
 * Whether an input with these attributes asks for card details. Needs no Node: the dev server's pages check their own
 * inputs with it.
 *
 * @param values By name, in lower case.
 */
export function takesCard(values: ReadonlyMap<string, string>): boolean {
  if (untyped.test(values.get('type') ?? '')) return false
  const named = ['name', 'id'].some((key) => isCardFieldName(values.get(key) ?? ''))
  const asks = ['placeholder', 'title', 'aria-label'].some((key) => asksForCard(values.get(key) ?? ''))
  return named || asks || isCardAutofill(values.get('autocomplete') ?? '')
}

/** Cards that are not payment cards. */
const otherCards = 'gift|loyalty|member|membership|club|bonus|discount|voucher|sim|id|identity|library|insurance|health'

const numberName = new RegExp(
  `(?<!${otherCards})(?:card|^cc|creditcard|debitcard)(?:number|num|no|nr)$|^(?:credit|debit)card$|^pan$`,
)
const codeName =
  /(?:^|card|cc)(?:cvc|cvv|csc)2?(?:code|number)?$|^securitycode$|card(?:securitycode|verification(?:code|value|number))$/

/** Whether a field of this name or id is for a card's number or security code: `cardNumber`, `payment[card_cvc]`. */
function isCardFieldName(name: string): boolean {
  const compact = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return numberName.test(compact) || codeName.test(compact)
}

const numberText = new RegExp(
  [
    `(?<!(?:${otherCards}) )\\bcard (?:number|no\\b)`,
    'kartennummer|numéro de (?:la )?carte|n[úu]mero de (?:la )?tarjeta|n[úu]mero do cart[ãa]o|numero (?:della )?carta',
    'kaartnummer|kortnummer|numer karty|номер карты|カード番号|卡号|卡號',
  ].join('|'),
  'i',
)
const codeText = /\b(?:CVC|CVV|CSC)2?\b|\bcard (?:security|verification) code\b|kartenprüf/i
/** A placeholder like `1234 1234 1234 1234` or `•••• •••• •••• ••••`. */
const numberShape = /^(?:\d{4}|([0xX•*#_·])\1{3})(?:[ -]?(?:\d{4}|([0xX•*#_·])\2{3})){3}$/

/** Whether a text asks for a card's number or security code, in about ten languages. */
function asksForCard(text: string): boolean {
  return numberText.test(text) || codeText.test(text) || numberShape.test(text.trim())
}

/** Whether a label is nothing more than that: `Card number *`. */
export function isCardLabel(text: string): boolean {
  let end = text.length
  while (end > 0 && /[\s:*]/.test(text.charAt(end - 1))) end -= 1 // a pattern with `+$` would try every start
  const words = text.slice(0, end).trim()
  return words.length <= CARD_LABEL_MAX_CHARS && asksForCard(words)
}

/** `Credit card number`, `Numéro de la carte`; a sentence about cards is longer. */
const CARD_LABEL_MAX_CHARS = 20

/** Whether autofill of card details is requested. Source: HTML, "Autofill detail tokens". */
export function isCardAutofill(autocomplete: string): boolean {
  return /(?:^|\s)cc-[a-z]/i.test(autocomplete)
}
