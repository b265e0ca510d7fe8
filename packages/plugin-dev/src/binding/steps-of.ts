import type { FunnelStep, NewFunnelInput } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'

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
