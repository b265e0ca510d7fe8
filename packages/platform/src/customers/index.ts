export { customers, newCustomer, updateCustomer } from './customers.ts'
export {
  findCardSummaries,
  findInstrument,
  instrumentFromToken,
  keepProcessorToken,
  type PayingInstrument,
  paymentInstruments,
  toPaying,
} from './payment-instruments.ts'
export { customersTable, paymentInstrumentsTable } from './tables.ts'
