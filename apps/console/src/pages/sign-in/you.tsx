import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api, postStep } from '../../api/client.ts'
import { changed, useRead } from '../../api/query.ts'
import { Badge, Button, Dialog, Input, Time } from '../../design/controls.tsx'
import { Loaded } from '../../design/states.tsx'
import { Page } from '../../shell/page.tsx'
import { useSession } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { goToProvider, makePasskey, providerName } from './passkeys.ts'
import './sign-in.css'
import { RecoveryCodes, useStep } from './steps.tsx'
import { text } from './text.ts'

/** The member's passkeys and other means of signing in, and the sessions. */
export function You() {
  const { member, accountName } = useSession()
  return (
    <Page
      title={shared('you')}
      note={text('memberOf', { email: member.email, role: shared(`role.${member.role}`), account: accountName })}
    >
      <div class="stack you">
        <Passkeys />
        {providerName !== null && <Identities provider={providerName} />}
        <OwnRecoveryCodes />
        <Sessions />
      </div>
    </Page>
  )
}

interface PartProps {
  title: string
  hint: string
  failure: string
  children: ComponentChildren
  actions?: ComponentChildren
}

function Part({ title, hint, failure, actions, children }: PartProps) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      <div class="inside">
        <p class="hint">{hint}</p>
        {children}
        {failure !== '' && (
          <p class="failure" role="alert">
            {failure}
          </p>
        )}
      </div>
    </section>
  )
}

function Passkeys() {
  const { passkeys } = useSession()
  const [isAdding, setAdding] = useState(false)
  const { failure, isBusy, run } = useStep()
  const remove = (passkeyId: string) =>
    run(async () => {
      await api.me.removePasskey({ passkeyId })
      await changed('me.')
    })
  return (
    <Part
      title={text('passkeys')}
      hint={text('passkeysHint')}
      failure={failure}
      actions={
        <Button icon="plus" onClick={() => setAdding(true)}>
          {text('addPasskey')}
        </Button>
      }
    >
      <ul class="ways">
        {passkeys.map(({ id, name, isBackedUp, lastUsedAt }) => (
          <li key={id}>
            <div>
              <strong>{name}</strong> {isBackedUp && <Badge tone="calm">{text('backedUp')}</Badge>}
              <LastUsed at={lastUsedAt} />
            </div>
            <Button isBusy={isBusy} onClick={remove(id)}>
              {text('removePasskey')}
              <span class="hidden-text">: {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
    </Part>
  )
}

function LastUsed({ at }: { at: string | null }) {
  if (at === null) return <p class="hint">{text('neverUsed')}</p>
  return (
    <p class="hint">
      {text('lastUsed')} <Time at={at} />
    </p>
  )
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const { failure, isBusy, run } = useStep()
  const add = run(async () => {
    const options = await postStep<PublicKeyCredentialCreationOptionsJSON>('/console/passkeys/begin', {})
    const response = await makePasskey(options)
    await postStep('/console/passkeys/add', { name, response })
    await changed('me.')
    onClose()
  })
  return (
    <Dialog title={text('addPasskey')} onClose={onClose}>
      <form class="form" onSubmit={add}>
        <Input
          label={text('passkeyName')}
          hint={text('passkeyNameHint')}
          required
          maxLength={100}
          value={name}
          onValue={setName}
        />
        {failure !== '' && (
          <p class="failure" role="alert">
            {failure}
          </p>
        )}
        <div class="actions">
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {text('make')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Identities({ provider }: { provider: string }) {
  const { identities } = useSession()
  const { failure, isBusy, run } = useStep()
  const unlink = (memberIdentityId: string) =>
    run(async () => {
      await api.me.removeIdentity({ memberIdentityId })
      await changed('me.')
    })
  return (
    <Part
      title={provider}
      hint={text('identitiesHint', { name: provider })}
      failure={failure}
      actions={
        <Button icon="plus" isBusy={isBusy} onClick={run(() => goToProvider('/console/identities/begin', {}))}>
          {text('link', { name: provider })}
        </Button>
      }
    >
      <ul class="ways">
        {identities.map(({ id, email, issuer, lastUsedAt }) => (
          <li key={id}>
            <div>
              <strong>{text('accountAt', { email: email ?? text('unnamed'), issuer })}</strong>
              <LastUsed at={lastUsedAt} />
            </div>
            <Button isBusy={isBusy} onClick={unlink(id)}>
              {text('unlink')}
            </Button>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function OwnRecoveryCodes() {
  const { recoveryCodesLeft } = useSession()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isAsking, setAsking] = useState(false)
  const { failure, isBusy, run } = useStep()
  const renew = run(async () => {
    const made = await api.me.newRecoveryCodes()
    setCodes(made.codes)
    await changed('me.')
  })
  return (
    <Part
      title={text('codes')}
      hint={text('codesLeft', { count: recoveryCodesLeft })}
      failure=""
      actions={<Button onClick={() => setAsking(true)}>{text('newCodes')}</Button>}
    >
      {isAsking && (
        <Dialog title={text('newCodes')} onClose={() => (setAsking(false), setCodes(null))}>
          {codes === null ? <p>{text('newCodesEffect')}</p> : <RecoveryCodes codes={codes} />}
          {failure !== '' && (
            <p class="failure" role="alert">
              {failure}
            </p>
          )}
          <div class="actions">
            <Button onClick={() => (setAsking(false), setCodes(null))}>
              {shared(codes === null ? 'cancel' : 'close')}
            </Button>
            {codes === null && (
              <Button kind="danger" isBusy={isBusy} onClick={renew}>
                {text('newCodes')}
              </Button>
            )}
          </div>
        </Dialog>
      )}
    </Part>
  )
}

function Sessions() {
  const read = useRead('me.listSessions', {})
  const { failure, isBusy, run } = useStep()
  const end = (memberSessionId: string) =>
    run(async () => {
      await api.me.endSession({ memberSessionId })
      await changed('me.')
    })
  const leave = (work: () => Promise<unknown>) =>
    run(async () => {
      await work()
      location.replace('/console/sign-in')
    })
  return (
    <Part
      title={text('sessions')}
      hint={text('sessionsHint')}
      failure={failure}
      actions={
        <>
          <Button onClick={leave(() => api.me.signOut())}>{shared('signOut')}</Button>
          <Button onClick={leave(() => api.me.signOutEverywhere())}>{text('signOutEverywhere')}</Button>
        </>
      }
    >
      <Loaded read={read}>
        {({ data }) => (
          <ul class="ways">
            {data.map(({ id, method, address, userAgent, createdAt, isCurrent }) => (
              <li key={id}>
                <div>
                  <strong>{text(`method.${method}`)}</strong>{' '}
                  {isCurrent && <Badge tone="good">{text('thisSession')}</Badge>}
                  <p class="hint">
                    <Time at={createdAt} /> · {address} · {userAgent ?? text('unnamed')}
                  </p>
                </div>
                {!isCurrent && (
                  <Button isBusy={isBusy} onClick={end(id)}>
                    {text('endSession')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Part>
  )
}
