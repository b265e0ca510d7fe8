export { customers, newCustomer, updateCustomer } from './customers.ts'
export {
  findCardSummaries,
  findInstrument,
  instrumentFromToken,
  type PayingInstrument,
  paymentInstruments,
  toPaying,
} from './payment-instruments.ts'
export { keepProcessorToken } from './processor-tokens.ts'
export { customersTable, paymentInstrumentsTable } from './tables.ts'
