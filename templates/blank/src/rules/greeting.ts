import type { OrderLine, Translation } from '@tillwright/plugin-sdk'

/** A greeting for the lines of an order. */
export function greeting(lines: readonly Pick<OrderLine, 'quantity'>[]): Translation {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  if (count === 0) return { en: 'Your order is empty.', de: 'Deine Bestellung ist leer.' }
  if (count === 1) return { en: 'One item is in your order.', de: 'Ein Artikel ist in deiner Bestellung.' }
  return { en: `${count} items are in your order.`, de: `${count} Artikel sind in deiner Bestellung.` }
}
