import { PageProvider, useLocale, usePage, useSession, useText } from '@tillwright/plugin-sdk/preact'
import type { ComponentType, JSX } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { beginAnew } from './flow/begin-anew.ts'
import { FunnelContext, useFunnel, useTexts } from './flow/funnel-context.ts'
import type { Funnel } from './flow/open-funnel.ts'
import type { PageId } from './flow/page-of-step.ts'
import { OfferContext } from './offer/offer-context.ts'
import type { Offer } from './offer/open-offer.ts'
import { Picture } from './parts/picture.tsx'
import { applyLook } from './settings/apply-look.ts'
import { useSettings } from './settings/use-settings.ts'
import { chooseLanguage, languageOf, languages } from './texts/texts-store.ts'

interface ApplicationProps {
  funnel: Funnel
  offer: Offer
  pageId: PageId
  Step: ComponentType
}

/** The funnel with the page that is shown. */
export function Application({ funnel, offer, pageId, Step }: ApplicationProps): JSX.Element {
  return (
    <PageProvider page={funnel.page}>
      <FunnelContext.Provider value={funnel}>
        <OfferContext.Provider value={offer}>
          <Frame pageId={pageId} Step={Step} />
        </OfferContext.Provider>
      </FunnelContext.Provider>
    </PageProvider>
  )
}

function Frame({ pageId, Step }: Pick<ApplicationProps, 'pageId' | 'Step'>): JSX.Element {
  const { look } = useSettings()
  const texts = useTexts()
  useLayoutEffect(() => applyLook(look, document.documentElement), [look])
  return (
    <>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <PageHead pageId={pageId} />
      <SessionNotice />
      <main id="content" class={`page page-${pageId}`} tabIndex={-1}>
        <Step key={pageId} />
      </main>
      <PageFoot />
    </>
  )
}

/** The shop's name, and the language. No way leads out of a funnel. */
function PageHead({ pageId }: { pageId: PageId }): JSX.Element {
  const { brand } = useSettings()
  return (
    <header class={`head head-${pageId}`}>
      <div class="head-inner">
        {brand.logo === '' ? (
          <span class="brand">{brand.name}</span>
        ) : (
          <Picture class="logo" path={brand.logo} alt={brand.name} />
        )}
        <LanguagePicker />
      </div>
    </header>
  )
}

function LanguagePicker(): JSX.Element {
  const page = usePage()
  const texts = useTexts()
  const language = languageOf(useLocale())
  return (
    <select
      class="languages"
      aria-label={texts.language}
      value={language}
      onChange={({ currentTarget }) => chooseLanguage(page, currentTarget.value)}
    >
      {Object.entries(languages).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Says so when the session is away, and what can be done. */
function SessionNotice(): JSX.Element {
  const { status } = useSession()
  const { page } = useFunnel()
  const texts = useTexts()
  const isWrong = status === 'offline' || status === 'expired' || status === 'failed'
  return (
    <div role="status" class="session-notice">
      {status === 'moved' && (
        <p>
          {texts.moved}{' '}
          <button type="button" class="link" onClick={() => beginAnew(page.data)}>
            {texts.startOver}
          </button>
        </p>
      )}
      {isWrong && (
        <p>
          {texts[status]}{' '}
          {status === 'failed' && (
            <button type="button" class="link" onClick={() => void page.session.refresh().catch(() => {})}>
              {texts.reload}
            </button>
          )}
        </p>
      )}
    </div>
  )
}

/** The footer, with legal links and contact. */
function PageFoot(): JSX.Element {
  const { footer, brand } = useSettings()
  const t = useText()
  const texts = useTexts()
  return (
    <footer class="foot">
      <p>{t(footer.text)}</p>
      {brand.email !== undefined && <p>{t(texts.questions, { email: brand.email })}</p>}
      <ul>
        {footer.links.map(({ label, address }) => (
          <li key={address}>
            <a href={address} target="_blank" rel="noreferrer">
              {t(label)}
            </a>
          </li>
        ))}
      </ul>
    </footer>
  )
}

/** In the place of a page whose script did not come. The address is that page's, so that loading it again is enough. */
export function LoadFailed(): JSX.Element {
  const texts = useTexts()
  return (
    <section class="narrow">
      <h1 tabIndex={-1}>{texts.loadFailed}</h1>
      <button type="button" class="button" onClick={() => location.reload()}>
        {texts.reload}
      </button>
    </section>
  )
}
