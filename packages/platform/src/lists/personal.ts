import { type PersonalTable, removed } from '../storage/index.ts'

/** The words by which a customer and what is theirs are found. */
export const listsPersonalData: PersonalTable[] = [
  {
    table: 'search_words',
    key: ['resource', 'word', 'id'],
    by: 'id',
    belongsTo: [
      { table: 'customers', column: 'id' },
      { table: 'payment_instruments', column: 'id' },
      { table: 'orders', column: 'id' },
      { table: 'payments', column: 'id' },
    ],
    where: "resource IN ('cus', 'pi', 'order', 'pay')",
    isDeleted: true,
    columns: { resource: removed, id: removed, word: removed },
    others: 'account_id',
  },
]
