export { findOrder, insertOrder, moveOrder, orders, promotionsOf } from './orders.ts'
export { type OrderPrice, plainPrice, type PricedOrder, priceOrder } from './price-order.ts'
export { paramOf, pricePayment } from './price-order.ts'
export { cannotShip, type PageTerms } from './ship-order.ts'
