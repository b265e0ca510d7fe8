import type { Unit } from '../database.ts'

/**
 * The order in which a group runs its units: by the first text parameter of each, which is the account; what is shared
 * runs behind them all and does not count. All groups of all processes so lock the busy rows of accounts (budgets,
 * counters) in one order and none waits for one that waits for it. Without it ten busy accounts bring three processes
 * from 33,000 units a second down to 200.
 */
export function byLockOrder(a: Unit, b: Unit): number {
  const keyOfA = lockKey(a)
  const keyOfB = lockKey(b)
  if (keyOfA === keyOfB) return 0
  return keyOfA < keyOfB ? -1 : 1
}

function lockKey(unit: Unit): string {
  const first = unit.find(({ shared }) => !shared)
  for (const param of first?.params ?? []) if (typeof param === 'string') return param
  return ''
}
