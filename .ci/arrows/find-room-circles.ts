import { isTest, packageOf, targetOf } from './locate.ts'
import type { Module } from './read-module.ts'
import type { KnownCircle } from './table.ts'
import type { Violation } from './violation.ts'

/** An import that leads from one room into another of the same folder. */
interface RoomImport {
  from: string
  to: string
  path: string
  line: number
  target: string
}

/**
 * Finds rooms that import each other in a circle, at every level of every package's `src`. The rooms of a folder are its
 * subfolders, each with all below it, and its own files; a circle of files alone is `findCycles`'s to report. Types count,
 * tests do not.
 *
 * @param known Circles that are still allowed: no other rooms may join them, and one that is gone has to leave the list.
 */
export function findRoomCircles(modules: readonly Module[], known: readonly KnownCircle[]): Violation[] {
  const circles = [...importsByFolder(modules)].flatMap(([folder, imports]) =>
    strongComponents(imports)
      .filter((rooms) => rooms.some((room) => !/\.tsx?$/.test(room)))
      .map((rooms) => ({ folder, rooms, imports })),
  )
  const isKnown = ({ folder, rooms }: KnownCircle) =>
    known.some((each) => each.folder === folder && rooms.every((room) => each.rooms.includes(room)))
  const outdated = known.filter(({ folder, rooms }) => {
    return !circles.some((circle) => circle.folder === folder && circle.rooms.every((room) => rooms.includes(room)))
  })
  return [...circles.filter((circle) => !isKnown(circle)).map(violationOf), ...outdated.map(outdatedEntry)]
}

/** The imports between rooms, by the folder whose rooms they tie: one import ties rooms in exactly one folder. */
function importsByFolder(modules: readonly Module[]): Map<string, RoomImport[]> {
  const folders = new Map<string, RoomImport[]>()
  const paths = new Set(modules.map(({ path }) => path))
  for (const { path, imports } of modules) {
    const owner = packageOf(path)
    if (owner === null || !owner.startsWith('packages/') || isTest(path)) continue
    for (const { specifier, line } of imports) {
      const target = targetOf(path, specifier)
      if (target === null || target === path || packageOf(target) !== owner || !paths.has(target)) continue
      const folder = sharedFolder(path, target)
      const room = (of: string) => of.slice(folder.length + 1).split('/')[0] ?? ''
      const found = { from: room(path), to: room(target), path, line, target }
      folders.set(folder, [...(folders.get(folder) ?? []), found])
    }
  }
  return folders
}

function sharedFolder(one: string, other: string): string {
  const names = one.split('/').slice(0, -1)
  const others = other.split('/')
  const apart = names.findIndex((name, index) => name !== others[index])
  return (apart === -1 ? names : names.slice(0, apart)).join('/')
}

/** The sets of two and more rooms of which each reaches all others, each sorted. */
function strongComponents(imports: readonly RoomImport[]): string[][] {
  const rooms = [...new Set(imports.flatMap(({ from, to }) => [from, to]))].toSorted()
  const reached = new Map(rooms.map((room) => [room, reach(room, imports)]))
  const components = rooms.map((room) => rooms.filter((other) => isTied(reached, room, other)))
  return components.filter((component, index) => component.length > 1 && component[0] === rooms[index])
}

function isTied(reached: ReadonlyMap<string, ReadonlySet<string>>, one: string, other: string): boolean {
  return one === other || (reached.get(one)?.has(other) === true && reached.get(other)?.has(one) === true)
}

function reach(start: string, imports: readonly RoomImport[]): Set<string> {
  const seen = new Set([start])
  for (const room of seen) for (const { from, to } of imports) if (from === room) seen.add(to)
  return seen
}

function violationOf({ folder, rooms, imports }: KnownCircle & { imports: readonly RoomImport[] }): Violation {
  const way = shortestCircle(rooms, imports)
  const [first] = way
  const steps = way.map(({ from, to, path, line }) => `\n  ${from} -> ${to}: ${path}:${line}`)
  const others = rooms.filter((room) => !way.some(({ from }) => from === room))
  const also = others.length === 0 ? '' : `\n  in circles with them: ${others.join(', ')}`
  return {
    path: first?.path ?? folder,
    line: first?.line ?? 1,
    rule: `rooms of ${folder} import each other in a circle${steps.join('')}${also}`,
    fix: 'move what both need into a room below them, or pass in what the lower one calls',
  }
}

/** The imports of one circle with as few rooms as possible. */
function shortestCircle(rooms: readonly string[], imports: readonly RoomImport[]): RoomImport[] {
  const inside = imports.filter(({ from, to }) => rooms.includes(from) && rooms.includes(to))
  let ways = rooms.flatMap((room) => onePerTarget(inside, room).map((step) => [step]))
  for (;;) {
    const closed = ways.find((way) => way.at(-1)?.to === way[0]?.from)
    if (closed !== undefined) return closed
    ways = ways.flatMap((way) => onePerTarget(inside, way.at(-1)?.to ?? '').map((step) => [...way, step]))
  }
}

function onePerTarget(imports: readonly RoomImport[], room: string): RoomImport[] {
  const byTarget = new Map(imports.filter(({ from }) => from === room).map((found) => [found.to, found]))
  return [...byTarget.values()]
}

function outdatedEntry({ folder, rooms }: KnownCircle): Violation {
  return {
    path: '.ci/arrows/table.ts',
    line: 1,
    rule: `${folder} has no circle of ${rooms.join(', ')} any more`,
    fix: 'remove the entry from `knownCircles`',
  }
}
