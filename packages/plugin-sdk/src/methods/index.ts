export { checkDebit, type DebitFault, debitMethod, groupedIban, type TypedDebit } from './debit.ts'
export { openMethods } from './open-methods.ts'
