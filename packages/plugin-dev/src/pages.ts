import type { FunnelStep, NewFunnelInput } from '@tillwright/contract'
import type { PageEntry, Plugin } from '@tillwright/plugin-build'
import type { Scenario } from './scenarios/index.ts'

type Pages = Pick<Plugin, 'file' | 'pages'>
type NewStep = NewFunnelInput['steps'][number]

/** The id of the step that shows a page. */
export function stepIdOf(pageId: string): string {
  return `step-${pageId}`
}

/**
 * The steps of a plugin's preview: one for each page, in the manifest's order, of the type that the page's first feature
 * names. Buyers begin at the default page.
 */
export function stepsOf({ file, pages }: Pages): NewStep[] {
  return pages.map(({ id, name, isDefault }) => ({
    id: stepIdOf(id),
    type: file.pages.find((page) => page.id === id)?.features[0]?.type ?? 'custom',
    name,
    path: `/${id}`,
    isEntry: isDefault,
    pageId: id,
  }))
}

/** Whether a funnel has exactly these steps already. */
export function hasSteps(steps: readonly FunnelStep[], wanted: readonly NewStep[]): boolean {
  const said = ({ id, type, name, path, isEntry = false, pageId = null }: NewStep) =>
    JSON.stringify([id, type, name, path, isEntry, pageId])
  return steps.map(said).join() === wanted.map(said).join()
}

/**
 * The page that a scenario is about.
 *
 * @throws {Error} Where the plugin has no page at all, which none without errors has.
 */
export function pageOf({ pages }: Pick<Plugin, 'pages'>, { page }: Pick<Scenario, 'page'>): Plugin['pages'][number] {
  const found = pages.find(({ id }) => id === page) ?? pages.find(({ isDefault }) => isDefault) ?? pages[0]
  if (found !== undefined) return found
  throw new Error('The plugin has no page.')
}

/** The address of a page, with something in the place of each `:parameter`. */
export function pageAddress({ path }: Pick<PageEntry, 'path'>, params: Readonly<Record<string, string>> = {}): string {
  return path
    .split('/')
    .map((part) => (part.startsWith(':') ? encodeURIComponent(params[part.slice(1)] ?? 'preview') : part))
    .join('/')
}
