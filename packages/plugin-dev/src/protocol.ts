import type { Problem } from '@tillwright/plugin-build'
import type { Scenario } from './scenarios/index.ts'

/** The messages to pages, over Vite's web socket. The client's side of them is in `client/`. */
export interface PageMessages {
  /** The plugin, or the session, is another one. */
  'tillwright:plugin': PluginMessage
  /** All errors of the plugin; empty once they are fixed. */
  'tillwright:problems': readonly ShownProblem[]
  /** Problems of the plugin that do not stop it from working. */
  'tillwright:warnings': readonly ShownProblem[]
  /** Whether all modules that pages have asked for can be served, whatever else is wrong with the plugin. */
  'tillwright:modules': { areSound: boolean }
  /** Modules have changed that no module accepts: the page is to begin again. */
  'tillwright:restart': object
  /** An error of this page, with its place. */
  'tillwright:page-error': ShownProblem
  /** The toolbar's choices. */
  'tillwright:tools': ToolbarData
  /** The platform's record of the session, for pages whose toolbar is open. */
  'tillwright:inspected': Inspection
  /** The page is to show this address. */
  'tillwright:navigate': { path: string }
}

/** A problem with what leads to it. */
export interface ShownProblem extends Problem {
  /** The lines around its place. */
  excerpt?: readonly SourceLine[]
  /** The modules by which a page imports its file, the page's own first. */
  importedBy?: readonly string[]
  /** The calls that led to an error, the last one first, at their places in the sources. */
  stack?: readonly StackFrame[]
}

/** A line of a source file. */
export interface SourceLine {
  /** From 1. */
  line: number
  text: string
}

/** A call on the stack of an error. */
export interface StackFrame {
  /** Of the function; '' for one without a name. */
  name: string
  /** Relative to the plugin's folder; a package's name for its modules. */
  file: string
  line: number
  column: number
}

declare module 'vite/types/customEvent.d.ts' {
  interface CustomEventMap extends PageMessages, ServerMessages {}
}

/** The messages of pages to the server. */
export interface ServerMessages {
  /** A page is there; it knows the plugin as of this revision, and was begun after so many updates of modules. */
  'tillwright:hello': { revision: number; updates: number }
  /** A toolbar is there. */
  'tillwright:tools-wanted': object
  /** The toolbar was opened: subscribes to the session's record, including the payment that the page knows. */
  'tillwright:inspect': { paymentId: string | null }
  /** They were closed. */
  'tillwright:inspect-no-more': object
  /** Another session is to begin, in every page. */
  'tillwright:begin': { scenario: unknown }
  /** Something went wrong in the page. */
  'tillwright:failure': PageError
  /** The page's policy did not let something happen. */
  'tillwright:violation': PolicyViolation
  /** The page has run for a while since it began or was updated, and nothing went wrong. */
  'tillwright:runs': object
}

/** A change of the plugin or the session. */
export interface PluginMessage {
  revision: number
  /** Takes the place of the same names in the page's data. */
  data: SharedData
  /** The pages that there are; another key than its own means that a page has to be loaded again. */
  pages: { id: string; path: string; key: string; isDefault: boolean }[]
}

/** The data of the toolbar in a page. */
export interface ToolbarData {
  pluginId: string
  sessionId: string
  /** The session's scenario. */
  scenario: Scenario
  scenarios: readonly Scenario[]
  presets: readonly string[]
  /** The names of the simulator's cards. */
  cards: readonly string[]
  /** Windows that have a name, in CSS pixels. */
  windows: Readonly<Record<string, { width: number; height: number }>>
  steps: readonly { id: string; name: string; address: string }[]
  /** Where 3-D Secure authentications can be read; `null` where the platform shows none. */
  timelinesUrl: string | null
}

/** The data that all pages of a dev server share. */
export interface SharedData {
  v: 1
  publishableKey: string
  storeId: string
  deploymentId: 'dev'
  pluginId: string
  version: string
  basePath: '/'
  config: Readonly<Record<string, unknown>>
  templates: Readonly<Record<string, Record<string, unknown>>>
  session: { token: string; isPreview: true }
  /** Where a page whose token is refused gets another one. */
  renewUrl: string
}

/** The data of our client in a document, next to the page's own. */
export interface OwnData {
  /** Identifies this version of the page's document; '' in one that is no page. */
  key: string
  /** Identifies the policy of the page, which no document can change. */
  policy: string
  /** The plugin's folder, for editors. */
  root: string
  /** Counts the changes that were sent to pages. */
  revision: number
  /** Counts the times that modules have changed. */
  updates: number
  toolbar: 'corner' | 'none'
}

/** An error that happened in a page. */
export interface PageError {
  message: string
  /** As the browser writes it; '' without one. */
  stack: string
}

/** Something that the policy of the page did not let happen. */
export interface PolicyViolation {
  /** As in `Content-Security-Policy`: `connect-src`, `style-src-elem`. */
  directive: string
  /** The blocked address, or a keyword such as `inline`. */
  blocked: string
  /** The stack that led to it: places in scripts, the nearest first; '' if unknown. */
  stack: string
}

/** The platform's record of the session, without secrets and personal data. */
export interface Inspection {
  sessionId: string
  /** The oldest first. */
  events: Found<InspectedEvent>
  /** Every payment of the session with all that the account's key may see of it, the oldest first. */
  payments: Found<InspectedPayment>
  /** Every authentication of the session's payments, the oldest first. */
  authentications: Found<InspectedAuthentication>
}

/** A list that may not be readable. */
export interface Found<Item> {
  items: readonly Item[]
  /** Why it could not be read, such as the key's permissions; otherwise `null`. */
  missing: string | null
}

/** Something that happened in the session. */
export interface InspectedEvent {
  id: string
  /** Such as `s_order_paid`. */
  type: string
  /** ISO 8601. */
  at: string
  properties: unknown
}

/** A payment of the session. */
export interface InspectedPayment {
  id: string
  status: string
  resource: unknown
}

/** A 3-D Secure session of a payment. */
export interface InspectedAuthentication {
  id: string
  paymentId: string | null
  /** The session's own status, and what it comes to in a word. */
  status: string
  outcome: string
  messages: readonly InspectedMessage[]
}

/** A message of EMV 3DS on its way. */
export interface InspectedMessage {
  position: number
  /** Since the first message. */
  afterMs: number
  /** Such as `AReq`. */
  type: string
  from: string
  to: string
  message: unknown
}

/** The path below which nothing is a page. */
export const OWN_PATH = '/__tillwright/'
/** The plugin's modules, as Vite serves them. */
export const MODULES_PATH = `${OWN_PATH}vite/`
/** The platform's API. */
export const API_PATH = `${OWN_PATH}api`
/** Where a page whose token is refused gets another one. */
export const RENEW_PATH = `${OWN_PATH}renew`
