import type { SecretBox } from '../runtime/index.ts'
import type { Ring } from './key-provider.ts'

/** A column that holds sealed values, in a table whose key is an id, alone or after the account. */
export interface SealedColumn {
  ring: Ring
  table: string
  column: string
  /** The columns of the table's key. */
  keyedBy: 'account and id' | 'id'
  /** Seals a column's value under the newest data key; what is sealed under it already comes back unchanged. */
  reseal(value: string, owner: { accountId: string; id: string }, box: SecretBox): string
}

/** A column whose values are boxes of one purpose, bound to their row. */
export function sealedColumn(
  column: Omit<SealedColumn, 'reseal'> & {
    purpose: string
    boundTo: (owner: { accountId: string; id: string }) => string
  },
): SealedColumn {
  const { purpose, boundTo, ...rest } = column
  return { ...rest, reseal: (value, owner, box) => box.reseal(purpose, value, boundTo(owner)) }
}
