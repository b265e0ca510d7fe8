import type { Product, ShippingOption, Store } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, text } from '../storage/index.ts'

export const storesTable = defineTable('stores', {
  account_id: text,
  id: text,
  name: text,
  selected_payment_flow_id: nullable(text),
  credentials: nullable(text),
  archived: flag,
  revision: int,
  resource: json<Store>(),
  created_at: int,
})

export const productsTable = defineTable('products', {
  account_id: text,
  id: text,
  store_id: text,
  active: flag,
  archived: flag,
  resource: json<Product>(),
  revision: int,
  created_at: int,
})

export const variantsTable = defineTable('variants', {
  account_id: text,
  id: text,
  store_id: text,
  product_id: text,
  sku: nullable(text),
})

export const pricesTable = defineTable('prices', {
  account_id: text,
  id: text,
  variant_id: text,
  sold: flag,
})

export const shippingOptionsTable = defineTable('shipping_options', {
  account_id: text,
  store_id: text,
  options: json<ShippingOption[]>(),
})
