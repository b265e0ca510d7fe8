import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { ConfirmDialog } from '../../forms/save.tsx'
import { useMay } from '../../shell/session.ts'
import { describeFlow, type FlowDetails, partOf, useProcessors } from '../flows/words.ts'
import { text } from './text.ts'

const lists = ['processorConfigs', 'fallbackProcessorConfigs'] as const
type ListOfFlow = (typeof lists)[number]

/** The flows that a processor is in, with its part of each; there it is switched off and on. */
export function UsedBy({ processorId }: { processorId: string }) {
  const read = useRead('paymentFlows.search', { limit: 100 })
  return (
    <Section title={text('flows')}>
      <Loaded read={read}>
        {({ data }) => {
          const uses = data.flatMap((flow) =>
            lists.flatMap((list) => {
              const at = flow[list].findIndex((each) => each.processorId === processorId)
              return at === -1 ? [] : [{ flow, list, at }]
            }),
          )
          if (uses.length === 0) return <p class="hint">{text('flows.none')}</p>
          return (
            <ul class="uses">
              {uses.map((use) => (
                <Use key={`${use.flow.id} ${use.list}`} {...use} />
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}

interface UseProps {
  flow: FlowDetails
  list: ListOfFlow
  at: number
}

function Use({ flow, list, at }: UseProps) {
  const may = useMay()
  const processors = useProcessors()
  const [isOpen, setOpen] = useState(false)
  const configs = flow[list]
  const isOff = configs[at]?.disabled === true
  const verb = isOff ? 'switchOn' : 'switchOff'
  const changed = configs.map((each, index) => (index === at ? { ...each, disabled: !isOff } : each))
  return (
    <li>
      <a href={`/console/flows/${flow.id}`}>{flow.name}</a>
      <span>
        {text(list === 'processorConfigs' ? 'inFirst' : 'inFallback')}:{' '}
        {partOf(configs, at, flow.pickProcessorStrategy)}
      </span>
      {may('paymentFlows.update') && <Button onClick={() => setOpen(true)}>{text(verb)}</Button>}
      {isOpen && (
        <ConfirmDialog
          of={flow}
          title={text(verb)}
          effect={text(`${verb}.effect`, { flow: flow.name })}
          label={text(verb)}
          kind={isOff ? 'main' : 'danger'}
          work={(input, options) =>
            api.paymentFlows.update({ paymentFlowId: flow.id, [list]: changed, ...input }, options)
          }
          describe={(each) => describeFlow(each, processors)}
          affects={['paymentFlows.']}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  )
}
