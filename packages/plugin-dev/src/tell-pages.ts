import type { Problem } from '@tillwright/plugin-build'
import type { DevState } from './dev-state.ts'
import type { PolicyViolation } from './client/policy-violations.ts'
import type { Inspection } from './inspect/inspection.ts'
import type { PageError } from './problems/locate-error.ts'
import { toolbarData, type ToolbarData } from './toolbar-data.ts'
import { sharedData, type SharedData } from './serve/page-data.ts'

/** The messages to pages, over Vite's web socket. The client's side of them is in `client/`. */
export interface PageMessages {
  /** The plugin, or the session, is another one. */
  'tillwright:plugin': PluginMessage
  /** All that is wrong with the plugin; nothing, when it is mended. */
  'tillwright:problems': readonly Problem[]
  /** Whether all modules that pages have asked for can be served, whatever else is wrong with the plugin. */
  'tillwright:modules': { areSound: boolean }
  /** What happened in this page alone, with its place. */
  'tillwright:page-error': Problem
  /** What the toolbar can offer. */
  'tillwright:tools': ToolbarData
  /** What the platform has on record of the session, for pages whose tools are open. */
  'tillwright:inspected': Inspection
  /** The page is to show this address. */
  'tillwright:navigate': { path: string }
}

declare module 'vite/types/customEvent.d.ts' {
  interface CustomEventMap extends PageMessages, ServerMessages {}
}

/** The messages of pages to the server. */
export interface ServerMessages {
  /** A page is there, and knows the plugin as of this revision. */
  'tillwright:hello': { revision: number }
  /** A toolbar is there. */
  'tillwright:tools-wanted': object
  /** The tools of a page are open and want to be told of the session, and of the payment that the page knows. */
  'tillwright:inspect': { paymentId: string | null }
  /** They were closed. */
  'tillwright:inspect-no-more': object
  /** Another session is to begin, in every page. */
  'tillwright:begin': { scenario: unknown }
  /** Something went wrong in the page. */
  'tillwright:failure': PageError
  /** The page's policy did not let something happen. */
  'tillwright:violation': PolicyViolation
}

/** What pages are told when the plugin or the session has changed. */
export interface PluginMessage {
  revision: number
  /** Takes the place of the same names in the page's data. */
  data: SharedData
  /** The pages that there are; another key than its own means that a page has to be loaded again. */
  pages: { id: string; path: string; key: string; isDefault: boolean }[]
}

/** Tells all pages that are open. */
export function tellPages<Name extends keyof PageMessages>(
  { modules }: Pick<DevState, 'modules'>,
  name: Name,
  message: PageMessages[Name],
): void {
  modules.environments.client.hot.send({ type: 'custom', event: name, data: message })
}

/** What pages are told of the plugin as it is now; `null` before there is one. */
export function pluginMessage({ served, binding, revision }: DevState): PluginMessage | null {
  if (served === null || binding === null) return null
  const { plugin, documents } = served
  return {
    revision,
    data: sharedData(plugin, binding),
    pages: plugin.pages.map(({ id, path, isDefault }) => ({ id, path, isDefault, key: documents[id] ?? '' })),
  }
}

/** Tells all pages of the plugin as it is now. */
export function tellPlugin(state: DevState): void {
  state.revision += 1
  const message = pluginMessage(state)
  if (message !== null) tellPages(state, 'tillwright:plugin', message)
  tellTools(state)
}

/** Tells all toolbars what they can offer now. */
export function tellTools(state: DevState): void {
  const tools = toolbarData(state)
  if (tools !== null) tellPages(state, 'tillwright:tools', tools)
}
