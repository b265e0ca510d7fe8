import type { Contract } from '@tillwright/contract'
import { customersTable } from '../customers/index.ts'
import type { Handler, RequestContext } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { type PersonalTable, pick, type Row, rowReader } from '../storage/index.ts'
import { BEGINNING, findRows, type FoundRow } from './find-rows.ts'

/**
 * Everything that is known of a customer as one JSON file, written page by page as the client takes it. `data` has one
 * member for each row, with the table that it is of and all its personal columns; of those that are secret only the name.
 */
export function exportCustomer(tables: readonly PersonalTable[]): Handler<Contract['customers']['export']> {
  return async ({ params: { customerId } }, context) => {
    const { accountId } = context.caller
    const [customer] = readCustomers(await context.services.db.read(selectCustomer, [accountId, customerId]))
    if (customer === undefined) throw missing('customer', customerId)
    return { rawJson: '{}', pieces: piecesOf(customerId, tables, context) }
  }
}

const selectCustomer = 'SELECT id FROM customers WHERE account_id = ? AND id = ?'
const readCustomers = rowReader(pick(customersTable, 'id'))

async function* piecesOf(
  customerId: string,
  tables: readonly PersonalTable[],
  { caller: { accountId }, services, nowMs }: RequestContext,
): AsyncGenerator<string> {
  const head = { customerId, accountId, exportedAt: new Date(nowMs).toISOString() }
  yield `${JSON.stringify(head).slice(0, -1)},"data":[`
  let isFirst = true
  for (let cursor = BEGINNING; ;) {
    const { found, next } = await findRows({ accountId, customerId, tables }, cursor, services)
    const rows = found
      .filter(({ table, row }) => table.spares?.(row) !== true)
      .map((each) => JSON.stringify(shown(each)))
    if (rows.length > 0) yield `${isFirst ? '' : ','}${rows.join(',')}`
    isFirst &&= rows.length === 0
    if (next === null) break
    cursor = next
  }
  yield ']}'
}

/** Stands in an export for a secret value. */
const NOT_SHOWN = '[kept encrypted, and shown to nobody]'

function shown({ table, row }: FoundRow): { kind: string; fields: Record<string, unknown> } {
  const seen = table.exported?.(row) ?? row
  const columns = Object.entries(table.columns).map(([column, rule]) => {
    const value = seen[column] ?? null
    return [column, value !== null && value !== '' && rule.isSecret?.(value) === true ? NOT_SHOWN : valueOf(value)]
  })
  return { kind: table.table, fields: Object.fromEntries(columns) }
}

/** JSON is shown as what it is. */
function valueOf(value: Row[string]): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value ?? null
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
