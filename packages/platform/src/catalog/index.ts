export {
  demoProducts,
  findProducts,
  findVariants,
  products,
  productWrites,
  soldName,
  type SoldVariant,
} from './products.ts'
export {
  demoShippingWrite,
  findShippingOptions,
  fittingOptions,
  type PricedOption,
  shippingOptions,
} from './shipping-options.ts'
export {
  findStore,
  firstCurrency,
  requireCharged,
  requirePresented,
  sealedStoreSecrets,
  stores,
  storeWrites,
} from './stores.ts'
export { storesTable } from './tables.ts'
