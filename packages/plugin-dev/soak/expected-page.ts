import { colourOf, partPath } from './files-of.ts'
import { addressOf, type ModuleFault, type PluginFault, type World } from './world.ts'

/** The visible content of a page of the plugin. */
export interface Shown {
  address: string
  /** The text rendered by the modules; `null` while the page cannot start. */
  modules: { title: string; word: string; parts: string[]; variable: string; settings: string } | null
  colour: string
  note: string
  /** Where the second page is, if it is there. */
  extra: number | null
  /** The files that the overlay names, sorted; '' for what has no place. */
  overlay: string[]
}

/** A page, by the rules of what it is promised. */
export interface ExpectedPage {
  /** The last world whose plugin had no errors. */
  served: World
  /** The content that its modules were last built from; `null` while it cannot start. */
  running: Pick<World, 'title' | 'word' | 'parts' | 'colour' | 'variable'> | null
  overlay: string[]
}

/** The effect of an edit on the text and the count in a page. */
export type Fate = 'kept' | 'lost' | 'either'

/** The page that a world begins with. */
export function freshPage(world: World): ExpectedPage {
  return loadedAgain({ served: world, running: null, overlay: [] }, world)
}

/** The same page when it is loaded again. */
export function loadedAgain(page: ExpectedPage, world: World): ExpectedPage {
  return afterEdit(page, { after: world, fate: 'lost' })
}

/** The expected page after an edit has been applied. */
export function afterEdit(page: ExpectedPage, { after, fate }: { after: World; fate: Fate }): ExpectedPage {
  return {
    served: after.pluginFault === null ? after : page.served,
    running: runningModules(page, { after, fate }),
    overlay: placesOf(after),
  }
}

/** The content that the page is expected to show. */
export function shownBy({ served, running, overlay }: ExpectedPage, world: World): Shown {
  const headline = served.defaultPreset === 'plain' ? `headline ${served.headline}` : `LOUD ${served.loud}`
  return {
    address: addressOf(served),
    modules: running && {
      title: `title ${running.title}`,
      word: `word ${running.word}`,
      parts: running.parts.map(({ name, version }) => `${name} ${version}`),
      variable: `variable ${running.variable}`,
      settings: [headline, `mail ${served.mail}`, `1.0.${served.release}`].join(),
    },
    colour: running === null ? '' : colourOf(running.colour),
    note: `note ${world.note}`,
    extra: served.extra,
    overlay,
  }
}

/** The promise: typed text is lost only if the page's address, its variables or its document change. */
export function fateOf({ served, running }: ExpectedPage, { before, after }: { before: World; after: World }): Fate {
  const isMoved = after.pluginFault === null && after.path !== served.path
  const isMended = running === null && after.moduleFault === null
  return isMoved || isMended || after.variable !== before.variable || after.note !== before.note ? 'lost' : 'kept'
}

function runningModules({ running }: ExpectedPage, { after, fate }: { after: World; fate: Fate }) {
  const broken = stale[after.moduleFault ?? 'nothing']
  if (fate === 'lost') return broken.length === 0 ? after : null
  return running && { ...after, ...Object.fromEntries(broken.map((name) => [name, running[name]])) }
}

/** The content that stays as it was while a module has a mistake; a page that has just been loaded cannot start then. */
const stale: Readonly<Record<ModuleFault | 'nothing', readonly ('title' | 'word' | 'parts' | 'colour')[]>> = {
  nothing: [],
  'half a component': ['title', 'word'],
  'an import of nothing': ['title', 'word'],
  'a module that is gone': ['title', 'word'],
  'half a part': ['parts'],
  'a style that imports nothing': ['colour'],
  'an error that is thrown': [],
  'a field for cards': [],
}

/** The file that the overlay names for a mistake. */
const places: Readonly<Record<Exclude<ModuleFault, 'half a part'> | PluginFault, string>> = {
  'half a manifest': 'plugin.manifest.json',
  'a path without a slash': 'plugin.manifest.json',
  'a setting of another type': 'config/plain.json',
  'half a preset': 'config/plain.json',
  'a page without a module': 'plugin.manifest.json',
  'half a component': 'src/home.tsx',
  'an import of nothing': 'src/home.tsx',
  'a module that is gone': 'src/home.tsx',
  'a style that imports nothing': 'src/style.css',
  'an error that is thrown': 'src/home.tsx',
  'a field for cards': '',
}

function placesOf({ pluginFault, moduleFault, parts }: World): string[] {
  const found = [pluginFault, moduleFault].flatMap((fault) => {
    if (fault === 'half a part') return parts.slice(0, 1).map(partPath)
    return fault === null ? [] : [places[fault]]
  })
  return found.toSorted()
}
