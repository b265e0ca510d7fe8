import type { Call } from './client.ts'
import { insist, type Person, read } from './people.ts'

/** How often the clerk looks: for as long as cardholders dispute something, and a little longer. */
const LOOKS = 14

/** A clerk of the shop, who looks for disputes and submits evidence, sometimes more than once, and changes subscriptions in the end. */
export const clerk: Person = async (name, town) => {
  const { world, network, shop, memory } = town
  const dice = world.dice.fork(name)
  const ask = (call: Omit<Call, 'who' | 'apiKey'>) => insist({ who: name, apiKey: shop.apiKey, ...call }, town, dice)
  for (let look = 1; look <= LOOKS; look++) {
    await network.pause(dice.between(2_000, 6_000))
    const { data } = read(await ask({ method: 'GET', path: '/api/payments/v1/disputes?status=open' }))
    const open: readonly { id: string }[] = Array.isArray(data) ? data : []
    for (const { id } of open) {
      if (dice.chance(0.3)) continue
      const answer = await ask({
        method: 'POST',
        path: `/api/payments/v1/disputes/${id}/evidence`,
        idempotencyKey: `${name}-${look}-${id}`,
        body: { uncategorizedText: 'The buyer wrote that it had arrived.' },
      })
      if (answer?.status === 200) memory.evidence.set(id, (memory.evidence.get(id) ?? 0) + 1)
    }
  }
  const { data } = read(await ask({ method: 'GET', path: '/api/payments/v1/subscriptions?status=active' }))
  const active: readonly { id: string }[] = Array.isArray(data) ? data : []
  for (const { id } of active) {
    const quantity = 2 + dice.below(3)
    const path = `/api/payments/v1/subscriptions/${id}/update`
    const answer = await ask({ method: 'POST', path, idempotencyKey: `${name}-${id}`, body: { quantity } })
    if (answer?.status === 200) memory.quantities.set(id, quantity)
  }
}
