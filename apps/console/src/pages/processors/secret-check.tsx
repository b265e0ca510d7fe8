import type { ProcessorCheck } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../design/controls.tsx'
import { Failure } from '../../design/states.tsx'
import { text } from './text.ts'

/** Asks a processor whether it accepts its secret, and shows what it says. */
export function SecretCheck({ processorId }: { processorId: string }) {
  const [checked, setChecked] = useState<ProcessorCheck | null>(null)
  const change = useChange(async (id: string) => {
    setChecked(null)
    setChecked(await api.processors.check({ processorId: id }))
  }, [])
  return (
    <div class="secret-check">
      <Button isBusy={change.isRunning} onClick={() => void change.run(processorId)}>
        {text('check')}
      </Button>
      <div role="status">
        {checked !== null && (
          <p class={checked.outcome === 'accepted' ? 'hint' : 'remark'}>
            {text(`check.${checked.outcome}`, { reason: checked.reason ?? '' })}
          </p>
        )}
      </div>
      {change.failure !== null && <Failure failure={change.failure} />}
    </div>
  )
}
