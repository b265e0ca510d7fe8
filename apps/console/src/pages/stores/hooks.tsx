import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Dialog, Input, Select } from '../../design/controls.tsx'
import { OnceDialog } from '../../design/once.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { Decision } from '../../forms/decision.tsx'
import { Check } from '../../forms/fields.tsx'
import { text as objects } from '../../objects/text.ts'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'

/** A hook as the API answers it. */
export type Hook = ResponseOf<Contract['hooks']['get']>

const kinds: readonly Hook['kind'][] = ['tax', 'shipping_rates', 'stock', 'risk']

/** The questions of a store that the merchant's own server answers, at most one of each kind. */
export function Hooks({ storeId }: { storeId: string }) {
  const maySet = useMay()('hooks.set')
  const read = useRead('hooks.list', { storeId })
  const [isOpen, setOpen] = useState(false)
  const free = kinds.filter((kind) => read.data?.hooks.every((hook) => hook.kind !== kind) === true)
  return (
    <Section
      title={text('hooks')}
      actions={maySet && free.length > 0 && <Button onClick={() => setOpen(true)}>{text('hooks.add')}</Button>}
    >
      <Loaded read={read}>
        {({ hooks }) =>
          hooks.length === 0 ? (
            <p class="hint">{text('hooks.none')}</p>
          ) : (
            <ul class="options">
              {hooks.map(({ kind, url, active, onFailure }) => (
                <li key={kind}>
                  <div class="what">
                    <a href={`/console/stores/${storeId}/hooks/${kind}`}>{objects(`hook.${kind}`)}</a>
                    <Status of={active ? 'enabled' : 'disabled'} />
                    <code>{url}</code>
                  </div>
                  <p class="hint">{text(`hook.${onFailure}`)}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isOpen && <HookDialog storeId={storeId} hook={null} kinds={free} onClose={() => setOpen(false)} />}
    </Section>
  )
}

/** What happens where the merchant's server does not answer. */
export function withoutAnswer({ kind, onFailure }: Pick<Hook, 'kind' | 'onFailure'>): string {
  return text(onFailure === 'refuse' ? 'hook.refuse.effect' : `hook.continue.${kind}`)
}

interface HookDialogProps {
  storeId: string
  /** `null` for a new one. */
  hook: Hook | null
  /** The kinds to choose from; none where there is a hook, which keeps its own. */
  kinds: readonly Hook['kind'][]
  onClose: () => void
}

/** Sets a hook. The secret of a new one is shown this once. */
export function HookDialog({ storeId, hook, kinds: offered, onClose }: HookDialogProps) {
  const [typed, setTyped] = useState(() => typedHook(hook, offered))
  const [secret, setSecret] = useState<string | null>(null)
  const change = useChange(
    async (sent: typeof typed, options) => {
      const body = { ...sent, url: sent.url.trim(), timeoutMs: Number(sent.timeoutMs) }
      const made = await api.hooks.set({ storeId, ...body }, options)
      if (made.secret === null) onClose()
      else setSecret(made.secret)
    },
    ['hooks.'],
  )
  const title = text(hook === null ? 'hooks.add' : 'hook.edit')
  if (secret !== null)
    return <OnceDialog title={title} hint={text('hook.secretOnce')} value={secret} onClose={onClose} />
  return (
    <Dialog title={title} onClose={onClose}>
      <HookFields typed={typed} kinds={offered} onTyped={(fields) => setTyped({ ...typed, ...fields })} />
      <p class="hint">{text('hook.effect')}</p>
      <Decision
        kind="main"
        change={change}
        label={shared('save')}
        disabled={typed.url.trim() === '' || !/^\d+$/.test(typed.timeoutMs)}
        onClose={onClose}
        run={() => change.run(typed)}
      />
    </Dialog>
  )
}

interface FieldsProps {
  typed: TypedHook
  kinds: HookDialogProps['kinds']
  onTyped: (fields: Partial<TypedHook>) => void
}

function HookFields({ typed: { kind, url, timeoutMs, onFailure, active }, kinds: offered, onTyped }: FieldsProps) {
  return (
    <>
      {offered.length > 0 && (
        <Select
          label={text('hook.kind')}
          value={kind}
          options={offered.map((each) => ({ value: each, name: objects(`hook.${each}`) }))}
          onValue={(value) => onTyped({ kind: value as Hook['kind'] })} // one of the options
        />
      )}
      <Input
        label={text('hook.url')}
        hint={text('hook.urlHint')}
        type="url"
        required
        value={url}
        onValue={(value) => onTyped({ url: value })}
      />
      <Input
        label={text('hook.timeout')}
        hint={text('hook.timeoutHint')}
        inputMode="numeric"
        required
        value={timeoutMs}
        onValue={(value) => onTyped({ timeoutMs: value })}
      />
      <Select
        label={text('hook.rule')}
        hint={withoutAnswer({ kind, onFailure })}
        value={onFailure}
        options={(['refuse', 'continue'] as const).map((each) => ({ value: each, name: text(`hook.${each}`) }))}
        onValue={(value) => onTyped({ onFailure: value as Hook['onFailure'] })} // one of the options
      />
      <Check label={text('hook.active')} isChecked={active} onChange={(value) => onTyped({ active: value })} />
    </>
  )
}

type TypedHook = ReturnType<typeof typedHook>

function typedHook(hook: Hook | null, offered: readonly Hook['kind'][]) {
  return {
    kind: hook?.kind ?? offered[0] ?? 'tax',
    url: hook?.url ?? '',
    timeoutMs: String(hook?.timeoutMs ?? 2_000),
    onFailure: hook?.onFailure ?? 'refuse',
    active: hook?.active ?? true,
  }
}
