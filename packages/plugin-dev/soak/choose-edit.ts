import type { ModuleFault, PluginFault, World } from './world.ts'

/** An edit: what it makes of a world, and how it gets into the folder. */
export interface Edit {
  name: string
  after: World
  how: Way
}

/**
 * How files are written: one after the other; all in the same moment; once more as they were, and then anew; to a
 * temporary file and then moved to its place, as editors do; after the file has been deleted; or by git, which changes
 * the branch.
 */
export type Way = 'in turn' | 'at once' | 'twice' | 'moved' | 'deleted first' | 'checkout'

/** Chooses by a number in [0, 1). */
export type Choose = <Item>(items: readonly Item[]) => Item

/** The inputs that an edit is chosen by. */
export interface Chance {
  /** A number that no edit before had, so that every edit is another one. */
  version: number
  choose: Choose
  /** The content of the other branch. */
  other: World
  /** Only edits of source texts and settings, which leave a page where it is. */
  isSteady: boolean
}

/** Chooses the next edit of a world. */
export function chooseEdit(world: World, chance: Chance): Edit {
  const { choose } = chance
  const { name, make, how } = choose(possibleEdits(world, chance))
  return { name, after: make(world, chance), how: how ?? choose(ways) }
}

const ways: readonly Way[] = ['in turn', 'in turn', 'at once', 'at once', 'twice', 'moved', 'deleted first']

interface EditKind {
  name: string
  /** How often it is chosen, compared with the others. */
  weight: number
  isPossible: (world: World) => boolean
  make: (world: World, chance: Chance) => World
  /** Any way unless it is given. */
  how?: Way
}

/** Each as often as its weight says. A mistake that the page would notice again when it is loaded is fixed at once. */
function possibleEdits(world: World, { isSteady }: Chance): EditKind[] {
  const isFleeting = world.moduleFault === 'an error that is thrown' || world.moduleFault === 'a field for cards'
  const wanted = isSteady ? kinds.filter(({ name }) => steady.has(name)) : kinds
  const possible = isFleeting ? [mendModule] : wanted.filter(({ isPossible }) => isPossible(world))
  return possible.flatMap((kind) => Array.from({ length: kind.weight }, () => kind))
}

const steady = new Set(['a component', 'a module', 'a style', 'a part', 'everything', 'a preset', 'a template'])

const isSound = ({ moduleFault }: World) => moduleFault === null
const always = () => true

const moduleFaults: readonly ModuleFault[] = [
  'half a component',
  'an import of nothing',
  'a module that is gone',
  'half a part',
  'a style that imports nothing',
  'an error that is thrown',
  'a field for cards',
]
const pluginFaults: readonly PluginFault[] = [
  'half a manifest',
  'a path without a slash',
  'a setting of another type',
  'half a preset',
]

const mendModule: EditKind = {
  name: 'fix a module',
  weight: 20,
  isPossible: ({ moduleFault }) => moduleFault !== null,
  make: (world) => ({ ...world, moduleFault: null }),
}

const kinds: readonly EditKind[] = [
  mendModule,
  {
    name: 'fix the plugin',
    weight: 12,
    isPossible: ({ pluginFault }) => pluginFault !== null,
    make: (world) => ({ ...world, pluginFault: null }),
  },
  {
    name: 'break a module',
    weight: 8,
    isPossible: isSound,
    make: (world, { choose }) => ({ ...world, moduleFault: choose(moduleFaults) }),
  },
  {
    name: 'break the plugin',
    weight: 5,
    isPossible: ({ pluginFault }) => pluginFault === null,
    make: (world, { choose }) => ({
      ...world,
      pluginFault: choose(world.extra === null ? pluginFaults : [...pluginFaults, 'a page without a module']),
    }),
  },
  edit('a component', { weight: 6, isPossible: isSound, make: (world, { version: title }) => ({ ...world, title }) }),
  edit('a module', { weight: 4, isPossible: isSound, make: (world, { version: word }) => ({ ...world, word }) }),
  edit('a style', {
    weight: 5,
    isPossible: ({ moduleFault }) => moduleFault !== 'a style that imports nothing',
    make: (world, { version: colour }) => ({ ...world, colour }),
  }),
  edit('a part', { weight: 4, isPossible: isSound, make: changePart }),
  edit('a new part', {
    weight: 2,
    isPossible: (world) => isSound(world) && world.parts.length < 12,
    make: (world, { version }) => ({ ...world, parts: [...world.parts, { name: `n${version}`, version }] }),
  }),
  edit('one part less', {
    weight: 2,
    isPossible: (world) => isSound(world) && world.parts.length > 3,
    make: (world, { choose }) => without(world, choose(world.parts).name),
  }),
  edit('a part by another name', { weight: 2, isPossible: isSound, make: renamePart }),
  edit('everything', { weight: 3, isPossible: isSound, make: changeAll }),
  edit('a public file', { weight: 1, isPossible: always, make: (world, { version: note }) => ({ ...world, note }) }),
  edit('a variable', {
    weight: 1,
    isPossible: always,
    make: (world, { version }) => ({ ...world, variable: version }),
  }),
  edit('a preset', {
    weight: 4,
    isPossible: always,
    make: (world, { version, choose }) => ({ ...world, [choose(['headline', 'loud'])]: version }),
  }),
  edit('the default preset', {
    weight: 2,
    isPossible: always,
    make: (world) => ({ ...world, defaultPreset: world.defaultPreset === 'plain' ? 'loud' : 'plain' }),
  }),
  edit('a template', { weight: 2, isPossible: always, make: (world, { version: mail }) => ({ ...world, mail }) }),
  edit('the schemas', { weight: 2, isPossible: always, make: (world, { version: schema }) => ({ ...world, schema }) }),
  edit('the release', {
    weight: 2,
    isPossible: always,
    make: (world, { version }) => ({ ...world, release: version }),
  }),
  edit('where a page is', {
    weight: 2,
    isPossible: always,
    make: (world, { version }) => ({ ...world, path: world.path === 0 ? version : 0 }),
  }),
  edit('a second page', {
    weight: 2,
    isPossible: ({ pluginFault }) => pluginFault !== 'a page without a module',
    make: (world, { version, choose }) => ({
      ...world,
      extra: world.extra === null ? version : choose([null, version]),
    }),
  }),
  edit('another branch', { weight: 5, isPossible: isSound, make: (_, { other }) => other, how: 'checkout' }),
]

function edit(name: string, kind: Omit<EditKind, 'name'>): EditKind {
  return { name, ...kind }
}

function changePart(world: World, { version, choose }: Chance): World {
  const { name } = choose(world.parts)
  return { ...world, parts: world.parts.map((part) => (part.name === name ? { name, version } : part)) }
}

function renamePart(world: World, { version, choose }: Chance): World {
  const { name } = choose(world.parts)
  const parts = world.parts.map((part) => (part.name === name ? { ...part, name: `r${version}` } : part))
  return { ...world, parts }
}

function without(world: World, name: string): World {
  return { ...world, parts: world.parts.filter((part) => part.name !== name) }
}

/** As replacing a word in all files would. */
function changeAll(world: World, { version }: Chance): World {
  const parts = world.parts.map(({ name }) => ({ name, version }))
  return {
    ...world,
    parts,
    title: version,
    word: version,
    colour: version,
    headline: version,
    loud: version,
    mail: version,
  }
}
