import type { DevEvent } from './dev-event.ts'
import type { FindPlatform } from './dev-platform.ts'
import type { Scenario } from './scenarios/scenario.ts'

/** How a plugin is to be served while it is written. */
export interface DevOptions {
  /** The plugin's folder. */
  folder: string
  findPlatform: FindPlatform
  /** The first of the ports to try: 5180 unless given; 0 for any. */
  port?: number
  /** Whether the network may see it, over HTTPS; this machine alone unless given. */
  onNetwork?: boolean
  /** The variables that pages may be given, those that begin with `PUBLIC_`; none unless given. */
  environment?: Readonly<Record<string, string | undefined>>
  /** What the first session is begun with; nothing of its own unless given. */
  scenario?: Scenario
  /** Whether pages have the tools of an author in a corner, as they have unless told otherwise. */
  toolbar?: 'corner' | 'none'
  /** Is told what happens. */
  tell?: (event: DevEvent) => void
}

/** A plugin that is being served. */
export interface DevServer {
  /** Where its pages begin on this machine. */
  url: string
  /** The same for others in the network. */
  networkUrls: readonly string[]
  scenarios: () => readonly Scenario[]
  /** Begins another session, of the scenario if one is named, and shows its first page. */
  restart: (scenario?: Scenario) => Promise<void>
  /** Goes on to the next step of the funnel, in every page that is open. */
  next: () => Promise<void>
  /** Resolves when everything that has changed so far was applied. */
  settled: () => Promise<void>
  stop: () => Promise<void>
}
