import type { ComponentType, JSX } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { PageProvider } from '@tillwright/plugin-sdk/preact'
import { FunnelContext, useTexts } from './flow/funnel-context.ts'
import type { Funnel } from './flow/open-funnel.ts'
import type { PageId } from './flow/page-of-step.ts'
import type { Offer } from './offer/open-offer.ts'
import { OfferContext } from './offer/offer-context.ts'
import { PageFoot } from './parts/page-foot.tsx'
import { PageHead } from './parts/page-head.tsx'
import { SessionNotice } from './parts/session-notice.tsx'
import { applyLook } from './settings/apply-look.ts'
import { useSettings } from './settings/use-settings.ts'

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
