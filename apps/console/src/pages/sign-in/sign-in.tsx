import { useLocation } from 'preact-iso'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { postStep } from '../../api/client.ts'
import { Button, Input } from '../../design/controls.tsx'
import { loadTexts } from '../../language/texts.ts'
import { pageAfterSignIn } from '../../shell/session.ts'
import { goToProvider, makePasskey, providerName, signInWithPasskey } from './passkeys.ts'
import './sign-in.css'
import { RecoveryCodes, StepPage, useStep } from './steps.tsx'
import { text } from './text.ts'

/** The pages of those who are not signed in, with their texts. */
export async function signInPages(): Promise<ComponentType> {
  await loadTexts('pages/sign-in')
  return SignInPages
}

function SignInPages() {
  const { path } = useLocation()
  if (path === '/console/accept') return <Accept />
  return path === '/console/openid' ? <FromProvider /> : <SignIn />
}

function SignIn() {
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const { failure, isBusy, run } = useStep()
  const enter = () => location.assign(pageAfterSignIn(location.search))
  return (
    <StepPage title={text('title')} failure={failure}>
      <Button
        kind="main"
        isBusy={isBusy}
        onClick={run(async () => {
          await signInWithPasskey()
          enter()
        })}
      >
        {text('passkey')}
      </Button>
      {providerName !== null && (
        <Button onClick={run(() => goToProvider('/console/sign-in/openid', {}))}>
          {text('provider', { name: providerName })}
        </Button>
      )}
      <details>
        <summary>{text('without')}</summary>
        <form
          class="form"
          onSubmit={run(async () => {
            await postStep('/console/sign-in/recovery-code', { email, code })
            enter()
          })}
        >
          <Input label={text('email')} type="email" autocomplete="username" required value={email} onValue={setEmail} />
          <Input label={text('code')} autocomplete="off" required value={code} onValue={setCode} />
          <Button type="submit">{text('withCode')}</Button>
        </form>
      </details>
    </StepPage>
  )
}

/** The token of an invitation leaves the address at once: it is worth an account to anyone who reads it. */
function useToken(): string {
  const [token] = useState(() => location.hash.slice(1))
  useEffect(() => history.replaceState(null, '', location.pathname), [])
  return token
}

function Accept() {
  const token = useToken()
  const [name, setName] = useState<string>(text('passkeyDefault'))
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { failure, isBusy, run } = useStep()
  const accept = async () => {
    const { options } = await postStep<{ options: PublicKeyCredentialCreationOptionsJSON }>('/console/accept/begin', {
      token,
    })
    const response = await makePasskey(options)
    const made = await postStep<{ recoveryCodes: string[] }>('/console/accept/finish', { token, name, response })
    setCodes(made.recoveryCodes)
  }
  if (codes !== null) return <Codes title={text('accept')} codes={codes} />
  return (
    <StepPage title={text('accept')} failure={failure}>
      <form class="form" onSubmit={run(accept)}>
        <p>{text('acceptHint')}</p>
        <Input label={text('passkeyName')} maxLength={100} required value={name} onValue={setName} />
        <Button kind="main" type="submit" isBusy={isBusy}>
          {text('make')}
        </Button>
        {providerName !== null && (
          <Button onClick={run(() => goToProvider('/console/accept/openid', { token }))}>
            {text('providerInstead', { name: providerName })}
          </Button>
        )}
      </form>
    </StepPage>
  )
}

function Codes({ title, codes }: { title: string; codes: readonly string[] }) {
  return (
    <StepPage title={title} failure="">
      <RecoveryCodes codes={codes} />
      {/* A full load: the session has only just begun. */}
      <a class="button main" href="/console" target="_self">
        {text('continue')}
      </a>
    </StepPage>
  )
}

function FromProvider() {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { failure, run } = useStep()
  const finish = async () => {
    const response = location.search.slice(1)
    history.replaceState(null, '', location.pathname)
    const { recoveryCodes } = await postStep<{ recoveryCodes?: string[] }>('/console/openid/finish', { response })
    if (recoveryCodes === undefined) location.replace('/console')
    else setCodes(recoveryCodes)
  }
  useEffect(() => void run(finish)(), [])
  if (codes !== null) return <Codes title={text('signingIn')} codes={codes} />
  return (
    <StepPage title={text('signingIn')} failure={failure}>
      {failure !== '' && (
        <a class="button" href="/console/sign-in">
          {text('title')}
        </a>
      )}
    </StepPage>
  )
}
