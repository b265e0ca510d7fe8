import 'virtual:tokens.css'
import './design/base.css'
import './design/controls.css'
import './shell/shell.css'
import './lists/lists.css'
import { render } from 'preact'
import { declareLanguage } from './language/language.ts'
import { loadTexts } from './language/texts.ts'
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { useRead } from './api/query.ts'
import { ApiFailure, workIn } from './api/client.ts'
import { Failure, Empty } from './design/states.tsx'
import { pages } from './pages/pages.ts'
import { Page } from './shell/page.tsx'
import { consoleUrl } from './shell/navigation.ts'
import { goToSignIn, Session, storeOf } from './shell/session.ts'
import { Shell } from './shell/shell.tsx'
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
  const isStranger = me.error instanceof ApiFailure && me.error.status === 401
  useEffect(() => {
    if (isStranger) goToSignIn()
  }, [isStranger])
  if (isStranger || (me.data === undefined && me.error === null)) return null
  if (me.data === undefined) return me.error && <Failure failure={me.error} retry={() => me.refetch()} />
  workIn(storeOf(me.data))
  return (
    <Session.Provider value={me.data}>
      <Shell>
        <Router>
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
