import { asksForCard, isCardAutofill, isCardFieldName } from './card-words.ts'

/** Types of inputs that nobody can type a number into. */
const untyped = /^(?:hidden|checkbox|radio|submit|button|image|reset|range|color|file|date|month|week|time)$/i

/**
 * Whether an input with these attributes is one into which a card could be typed. Needs no Node: a page that is being
 * written asks it of its own inputs.
 *
 * @param values By name, in lower case.
 */
export function takesCard(values: ReadonlyMap<string, string>): boolean {
  if (untyped.test(values.get('type') ?? '')) return false
  const named = ['name', 'id'].some((key) => isCardFieldName(values.get(key) ?? ''))
  const asks = ['placeholder', 'title', 'aria-label'].some((key) => asksForCard(values.get(key) ?? ''))
  return named || asks || isCardAutofill(values.get('autocomplete') ?? '')
}
