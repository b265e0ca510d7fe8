import 'virtual:tokens.css'
import './design/base.css'
import './design/controls.css'
import './shell/shell.css'
import './lists/lists.css'
import { render } from 'preact'
import { declareLanguage } from './language/language.ts'
import { loadTexts } from './language/texts.ts'
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useRead } from './api/query.ts'
import { ApiFailure, workIn } from './api/client.ts'
import { Failure, Empty } from './design/states.tsx'
import { hasUnsaved } from './design/unsaved.ts'
import { pages } from './pages/pages.ts'
import { Page } from './shell/page.tsx'
import { consoleUrl } from './shell/navigation.ts'
import { goToSignIn, Session, storeOf } from './shell/session.ts'
import { Shell } from './shell/shell.tsx'
import { SignedOut } from './shell/signed-out.tsx'
import { text } from './shell/text.ts'

const SignIn = lazy(() => import('./pages/sign-in/sign-in.tsx').then(({ signInPages }) => signInPages()))

/** The console: pages of their own for those who are not signed in yet, and the shell with its pages for members. */
function App() {
  return (
    <LocationProvider scope="/console">
      <ErrorBoundary>
        <Entry />
      </ErrorBoundary>
    </LocationProvider>
  )
}

const ofStrangers = ['/console/sign-in', '/console/accept', '/console/openid']

function Entry() {
  const { path } = useLocation()
  return ofStrangers.includes(path) ? <SignIn /> : <Members />
}

function Members() {
  const me = useRead('me.get', {})
  const [isComing, setComing] = useState(false)
  const first = useRef<string | undefined>(undefined)
  first.current ??= me.data?.member.id
  const isStranger = me.error instanceof ApiFailure && me.error.status === 401
  const isLeft = isStranger && !hasUnsaved()
  // The page, and what was typed on it, is of the member who was here before.
  const isAnother = me.data !== undefined && me.data.member.id !== first.current
  useEffect(() => {
    if (isLeft) goToSignIn()
    else if (isAnother) location.replace('/console')
  }, [isLeft, isAnother])
  if (isLeft || isAnother || (me.data === undefined && me.error === null)) return null
  if (me.data === undefined) return me.error && <Failure failure={me.error} retry={() => me.refetch()} />
  workIn(storeOf(me.data))
  return (
    <Session.Provider value={me.data}>
      {isStranger && <SignedOut email={me.data.member.email} onContinue={() => void me.refetch()} />}
      <Shell isComing={isComing}>
        <Router onLoadStart={() => setComing(true)} onLoadEnd={() => setComing(false)}>
          {pages.map(({ path, component }) => (
            <Route key={path} path={consoleUrl(path)} component={component} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </Shell>
    </Session.Provider>
  )
}

function NotFound() {
  return (
    <Page title={text('notFound')}>
      <Empty>
        <p>{text('notFoundHint')}</p>
        <a class="button" href={consoleUrl('')}>
          {text('toHome')}
        </a>
      </Empty>
    </Page>
  )
}

declareLanguage()
await loadTexts('shell')
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
