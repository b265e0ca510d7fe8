import type { Edit } from './choose-edit.ts'
import { firstWorld, type World } from './world.ts'

/** Edits that have gone wrong before; every run begins with them. */
export const knownEdits: readonly Edit[] = inTurn([
  { moduleFault: 'an import of nothing' },
  { moduleFault: null },
  { moduleFault: 'a module that is gone' },
  { moduleFault: null },
  // The other page has no module: this one can be loaded all the same.
  { extra: 1 },
  { pluginFault: 'a page without a module' },
  { note: 2 },
  { pluginFault: null },
  // One change wants the page elsewhere, the other one loads it again.
  { path: 3, note: 3 },
  // A page that could not start does so when its modules are fixed, whatever else is wrong.
  { moduleFault: 'half a component' },
  { note: 4 },
  { pluginFault: 'half a preset' },
  { moduleFault: null },
  { pluginFault: null },
])

function inTurn(changes: readonly Partial<World>[]): Edit[] {
  let after = firstWorld
  return changes.map((change) => {
    after = { ...after, ...change }
    return { name: JSON.stringify(change), after, how: 'at once' }
  })
}
