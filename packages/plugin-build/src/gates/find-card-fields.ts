import { isCardAutofill, isCardLabel } from './card-words.ts'
import type { Finding } from './finding.ts'
import { readObject } from './read-object.ts'
import { takesCard } from './takes-card.ts'

const element = /(["'`])(input|textarea|label)\1,\s*(?=\{)/g
/*
 * Every pattern below takes time in proportion to a script, whatever it holds: within quotes a character is read in one
 * way only, as part of an escape or not.
 */
const property =
  /["'`]?\b(name|id|type|placeholder|title|autocomplete|aria-label)["'`]?\s*:\s*(["'`])((?:\\.|(?!\2)[^\\\n\r\u2028\u2029])*)\2/gi
/** An escape outside of quotes is stepped over, so that its quote begins no string. */
const text = /\\.|(["'`])((?:\\.|(?!\1)[^\\\n\r\u2028\u2029])*)\1/g
const assignment =
  /(?:\.(name|id|placeholder|title|autocomplete|ariaLabel)\s*=\s*|\.setAttribute\(\s*["'`](name|id|placeholder|title|autocomplete|aria-label)["'`]\s*,\s*)(["'`])((?:\\.|(?!\3)[^\\\n\r\u2028\u2029])*)\3/g
/** What components hand on to their input; titles and labels stand in every table of texts. */
const ofComponents = /^(?:name|id|placeholder)$/i
const createsInput = /\.createElement\(\s*["'`](?:input|textarea)["'`]/

/**
 * Finds, in a built script, inputs into which a card could be typed: elements of JSX and of `createElement`, properties
 * and attributes that are set on one, and HTML in strings. An input is told by `autocomplete`, name, id, placeholder,
 * title and label; one whose attributes are only known at run time is not found, nor is an editable element.
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

/** Finds the same in a document, or in whatever else has tags in it. */
export function findCardFieldsInHtml(html: string): Finding[] {
  return [...html.matchAll(/<(?:input|textarea)\b[^<>]*/gi)].flatMap(({ 0: tag, index }) => {
    const attributes = [...tag.matchAll(/\s([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)]
    const values = new Map(attributes.map(([, name = '', a, b, c]) => [name.toLowerCase(), a ?? b ?? c ?? '']))
    return takesCard(values) ? certain(index) : []
  })
}

/** A call that makes an element. */
interface ScriptElement {
  name: string
  index: number
  end: number
  /** Its attributes, as they are written. */
  attributes: string
}

/** How often a script may be read for the attributes of elements that stand within each other; deeper ones see less. */
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

/** An input's own attributes are judged with it. */
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
    const asks = [...attributes.matchAll(text)].some(([, , words = '']) => isCardLabel(words))
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

/** A property of some object: of a component that makes an input of it, perhaps. */
function propertyFinding({ 1: key = '', 3: value = '', index }: RegExpExecArray): Finding[] {
  if (key.toLowerCase() === 'autocomplete') return isCardAutofill(value) ? [certain(index)] : []
  return ofComponents.test(key) && takesCard(new Map([[key.toLowerCase(), value]])) ? [suspected(index)] : []
}

const fix = 'Mount the card form of @tillwright/checkout: card numbers are typed into its frame alone.'

function certain(index: number): Finding {
  const rule = 'No input of a page may take a card number, a security code or an expiry date.'
  return { code: 'card-field', severity: 'error', index, rule, fix }
}

function suspected(index: number): Finding {
  const rule = 'This looks like the making of a field for card numbers, which a page must not have.'
  return { code: 'card-field-suspected', severity: 'warning', index, rule, fix }
}
