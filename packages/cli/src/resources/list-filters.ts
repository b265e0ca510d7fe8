import type { FiltersOf, Operation } from '@tillwright/contract'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { kebab } from '../option-values.ts'

type List = Operation & Required<Pick<Operation, 'query' | 'list'>>

/** Fields of every list that choose a page of it; a command that prints the whole list has no options for them. */
const pageFields = ['limit', 'after', 'order']

/** Adds an option for each filter that the contract gives a list: `--created-from` for `createdFrom`. */
export function withFilters(list: List, command: Command): Command {
  for (const [field, schema] of filterFields(list)) {
    const option = new Option(`--${kebab(field)} <value>`, schema.description ?? '')
    command.addOption(
      option.argParser((text) => {
        const { error } = schema.safeParse(text, { error: ruleMessage })
        if (error === undefined) return text
        throw new InvalidArgumentError(`It ${error.issues[0]?.message ?? 'is not valid'}.`)
      }),
    )
  }
  return command
}

/** The filters among the options of a command, as the list's operation reads them. */
export function filtersOf<Op extends List>(list: Op, options: object): FiltersOf<Op> {
  const sent = filterFields(list).flatMap(([field]) => {
    const value: unknown = Reflect.get(options, field)
    return value === undefined ? [] : [[field, value] as const]
  })
  const { limit: _, after: __, order: ___, ...filters } = list.query.parse(Object.fromEntries(sent))
  return filters as FiltersOf<Op> // the output of the schema without the fields of its pages
}

/** How a list is shown: that nothing fits its filters is not the same as that there is nothing yet. */
export function shownBy<Entry>(
  filters: object,
  show: (entries: readonly Entry[]) => string,
): (entries: readonly Entry[]) => string {
  return (entries) => (entries.length === 0 && Object.keys(filters).length > 0 ? 'None.\n' : show(entries))
}

function filterFields({ query }: List) {
  return Object.entries(query.shape).filter(([field]) => !pageFields.includes(field))
}
