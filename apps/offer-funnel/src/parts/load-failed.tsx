import type { JSX } from 'preact'
import { useTexts } from '../flow/funnel-context.ts'

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
