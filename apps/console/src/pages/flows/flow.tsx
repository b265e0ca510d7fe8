import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { ArchiveButton } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { ProcessorHealth } from '../../objects/processor-health.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { FlowEditor } from './editor.tsx'
import './flows.css'
import { Picture } from './picture.tsx'
import { text } from './text.ts'
import { describeFlow, type FlowDetails, useProcessors } from './words.ts'

/** One payment flow: the picture of its routing, and a form to change it. */
export function Flow() {
  const { id = '' } = useRoute().params
  const read = useRead('paymentFlows.get', { paymentFlowId: id })
  return <LoadedPage read={read}>{(flow) => <FlowPage flow={flow} />}</LoadedPage>
}

function FlowPage({ flow }: { flow: FlowDetails }) {
  const may = useMay()
  const [isEdited, setEdited] = useState(false)
  const processors = useProcessors()
  const { id: paymentFlowId, name, archived } = flow
  return (
    <Page
      title={name}
      note={
        <>
          {archived && <Status of="archived" />} <Copy value={paymentFlowId} />
        </>
      }
      actions={
        <>
          {may('paymentFlows.archive') && (
            <ArchiveButton
              of={flow}
              effect={{ archive: text('archive.effect'), unarchive: text('unarchive.effect') }}
              archive={(input, options) => api.paymentFlows.archive({ paymentFlowId, ...input }, options)}
              unarchive={(input, options) => api.paymentFlows.unarchive({ paymentFlowId, ...input }, options)}
              describe={(each) => describeFlow(each, processors)}
              affects={['paymentFlows.']}
            />
          )}
          {!isEdited && may('paymentFlows.update') && (
            <Button kind="main" onClick={() => setEdited(true)}>
              {forms('edit')}
            </Button>
          )}
        </>
      }
    >
      <div class="stack">
        {isEdited ? (
          <FlowEditor flow={flow} processors={processors} onClose={() => setEdited(false)} />
        ) : (
          <div class="columns even">
            <Section title={text('routing')}>
              <Picture flow={flow} processors={processors} />
            </Section>
            <div class="stack">
              <ProcessorHealth ids={processorsOf(flow)} />
              <FlowFacts flow={flow} />
            </div>
          </div>
        )}
        <ApiCall operation="paymentFlows.get" input={{ paymentFlowId }} />
      </div>
    </Page>
  )
}

function processorsOf({ processorConfigs, fallbackProcessorConfigs }: FlowDetails): string[] {
  return [...new Set([...processorConfigs, ...fallbackProcessorConfigs].map(({ processorId }) => processorId))]
}

function FlowFacts({ flow }: { flow: FlowDetails }) {
  const processors = useProcessors()
  const inFlow = processorsOf(flow)
  const stopped = processors.filter(({ id, stopped: reason }) => reason !== null && inFlow.includes(id))
  return (
    <Section title={text('facts')}>
      <div class="stack">
        {stopped.map(({ id, name, stopped: reason }) => (
          <p class="remark" key={id}>
            <a href={`/console/processors/${id}`}>{name}</a> {text('stopped', { reason: reason ?? '' })}
          </p>
        ))}
        <Facts
          of={[
            ...describeFlow(flow, processors),
            [text('created'), <Time key="created" at={flow.createdAt} />],
            [text('changed'), <Time key="changed" at={flow.updatedAt} />],
          ]}
        />
      </div>
    </Section>
  )
}
