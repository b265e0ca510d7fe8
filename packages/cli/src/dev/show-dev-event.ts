import type { DevEvent } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import { showProblems } from '../author/show-problems.ts'

/** What a terminal shows of an event; '' for what an author sees anyway. */
export function showDevEvent(event: DevEvent): string {
  switch (event.type) {
    case 'ready':
      return ready(event)
    case 'session':
      return `${pc.dim('session')} ${event.sessionId} ${pc.dim(`at ${event.stepId}, ${event.scenario}`)}\n`
    case 'problems':
      return event.problems.length === 0 ? `${pc.green('mended')}\n` : showProblems(event.problems)
    case 'applied':
      return `${pc.green('applied')} ${event.what}\n`
    case 'platform':
      return event.state === 'gone'
        ? `${pc.yellow('waiting')} The platform does not answer at ${event.apiUrl}.\n`
        : `${pc.green('back')} The platform answers at ${event.apiUrl}.\n`
    case 'notice':
      return `${pc.yellow('note')} ${event.message}\n`
    case 'changed':
    case 'settled':
    case 'scenarios':
      return ''
  }
}

function ready({ url, networkUrls, movedFrom, tookMs }: Extract<DevEvent, { type: 'ready' }>): string {
  const row = (name: string, value: string) => `  ${pc.dim(name.padEnd(10))} ${value}\n`
  return [
    movedFrom === null ? '' : `${pc.yellow('note')} Port ${movedFrom} is taken; using ${new URL(url).port} instead.\n`,
    `\n${pc.bold(pc.green('The plugin is here.'))} ${pc.dim(`${Math.round(tookMs)} ms`)}\n\n`,
    row('Page', pc.bold(pc.cyan(`${url}/`))),
    ...networkUrls.map((each) => row('Network', pc.cyan(`${each}/`))),
    '\n',
  ].join('')
}
