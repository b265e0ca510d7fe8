import type { Contract, ResponseOf } from '@tillwright/contract'
import { Copy } from '../../design/controls.tsx'

/** The platform's state, as the operator's page reads it. */
export type State = ResponseOf<Contract['platform']['get']>

/** A command of the terminal that does what a part of the page is about. */
export function CommandLine({ says, command }: { says: string; command: string }) {
  return (
    <p class="command">
      <span class="hint">{says}</span> <Copy value={command} />
    </p>
  )
}
