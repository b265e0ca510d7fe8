import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { AGAIN_MS, useRead } from '../../api/query.ts'
import { Button, Copy, Dialog, Time } from '../../design/controls.tsx'
import { OnceDialog } from '../../design/once.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { Decision } from '../../forms/decision.tsx'
import { HookAnswers } from '../../objects/hook-answers.tsx'
import { StoreLink } from '../../objects/names.tsx'
import { text as objects } from '../../objects/text.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { type Hook, HookDialog, withoutAnswer } from './hooks.tsx'
import { text } from './text.ts'
import './stores.css'

/** One question of a store to the merchant's own server: where it goes, and what was answered in the last day. */
export function StoreHook() {
  const { id = '', kind = '' } = useRoute().params
  const read = useRead('hooks.get', { storeId: id, kind })
  return <LoadedPage read={read}>{(hook) => <HookPage hook={hook} />}</LoadedPage>
}

function HookPage({ hook }: { hook: Hook }) {
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'remove' | null>(null)
  const { id, storeId, kind, active } = hook
  const close = () => setOpen(null)
  return (
    <Page
      title={objects(`hook.${kind}`)}
      note={
        <>
          <Status of={active ? 'enabled' : 'disabled'} /> <Copy value={id} />
        </>
      }
      actions={
        <>
          {may('hooks.remove') && <Button onClick={() => setOpen('remove')}>{text('hook.remove')}</Button>}
          {may('hooks.rotateSecret') && <Button onClick={() => setOpen('rotate')}>{text('hook.rotate')}</Button>}
          {may('hooks.set') && (
            <Button kind="main" onClick={() => setOpen('edit')}>
              {text('hook.edit')}
            </Button>
          )}
        </>
      }
    >
      <div class="columns">
        <div class="stack">
          {may('hooks.answers') && <LastAnswers storeId={storeId} kind={kind} />}
          <ApiCall operation="hooks.get" input={{ storeId, kind }} />
        </div>
        <HookFacts hook={hook} />
      </div>
      {open === 'edit' && <HookDialog storeId={storeId} hook={hook} kinds={[]} onClose={close} />}
      {open === 'rotate' && <RotateDialog hook={hook} onClose={close} />}
      {open === 'remove' && <RemoveDialog hook={hook} onClose={close} />}
    </Page>
  )
}

function HookFacts({ hook }: { hook: Hook }) {
  const { storeId, url, timeoutMs, createdAt, updatedAt } = hook
  return (
    <Section title={text('facts')}>
      <Facts
        of={[
          [text('store'), <StoreLink key="store" id={storeId} />],
          [text('hook.url'), <code key="url">{url}</code>],
          [text('hook.timeout'), timeoutMs],
          [text('hook.rule'), withoutAnswer(hook)],
          [text('created'), <Time key="created" at={createdAt} />],
          [text('changed'), <Time key="changed" at={updatedAt} />],
        ]}
      />
    </Section>
  )
}

/** What is asked makes no event, so the answers are read again and again while they are in sight. */
function LastAnswers({ storeId, kind }: Pick<Hook, 'storeId' | 'kind'>) {
  const read = useRead('hooks.answers', { storeId, kind }, AGAIN_MS)
  return (
    <Section title={text('hook.answers')}>
      <Loaded read={read}>
        {({ answers }) =>
          answers.length === 0 ? <p class="hint">{text('hook.noAnswers')}</p> : <HookAnswers of={answers} />
        }
      </Loaded>
    </Section>
  )
}

interface DialogProps {
  hook: Hook
  onClose: () => void
}

function RotateDialog({ hook: { storeId, kind }, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const change = useChange(
    async (_: null, options) => setSecret((await api.hooks.rotateSecret({ storeId, kind }, options)).secret),
    ['hooks.'],
  )
  const title = text('hook.rotate')
  if (secret !== null)
    return <OnceDialog title={title} hint={text('hook.secretOnce')} value={secret} onClose={onClose} />
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text('hook.rotateEffect')}</p>
      <Decision kind="main" change={change} label={title} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}

function RemoveDialog({ hook: { storeId, kind }, onClose }: DialogProps) {
  const change = useChange(async (_: null, options) => {
    await api.hooks.remove({ storeId, kind }, options)
    location.assign(`/console/stores/${storeId}`)
  }, [])
  const title = text('hook.remove')
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text('hook.removeEffect')}</p>
      <Decision change={change} label={title} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}
