export { demoProducts, products, productWrites } from './products.ts'
export {
  findPrice,
  findProducts,
  findVariants,
  soldName,
  type SoldPrice,
  type SoldVariant,
  soldPrices,
} from './product-records.ts'
export {
  demoShippingWrite,
  findShippingOptions,
  fittingOptions,
  type PricedOption,
  shippingOptions,
} from './shipping-options.ts'
export { sealedStoreSecrets, stores, storeWrites } from './stores.ts'
export {
  findStore,
  firstCurrency,
  inOpenStore,
  requireCharged,
  requireOpenStore,
  requirePresented,
  requireStore,
  whyNotOpen,
} from './store-records.ts'
export { storesTable } from './tables.ts'
export { prices, variants } from './variants.ts'
