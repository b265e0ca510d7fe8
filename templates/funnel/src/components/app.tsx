import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { usePage, useSession, useStore, useText } from '@tillwright/plugin-sdk/preact'
import { startOver } from '../begin-order.ts'
import type { Router } from '../router.ts'
import type { ScreenId } from '../rules/screens.ts'
import type { ScreenProps } from '../screen-props.ts'
import { texts } from '../texts.ts'

/** The module of each screen, which is loaded when it is shown. */
const modules: Readonly<Record<ScreenId, () => Promise<{ Screen: ComponentType<ScreenProps> }>>> = {
  offer: () => import('../screens/offer.tsx'),
  checkout: () => import('../screens/checkout.tsx'),
  upsell: () => import('../screens/upsell.tsx'),
  'thank-you': () => import('../screens/thank-you.tsx'),
}

/** The screen that the address names. The former one stays until it is there. */
export function App({ router, goOn, goTo }: ScreenProps & { router: Router }) {
  const page = usePage()
  const { status } = useSession()
  const t = useText()
  const id = useStore(router)
  const [shown, setShown] = useState<{ id: ScreenId; Screen: ComponentType<ScreenProps> } | null>(null)

  useEffect(() => {
    let isOver = false
    void modules[id]().then(({ Screen }) => isOver || setShown({ id, Screen }))
    return () => {
      isOver = true
    }
  }, [id])
  useEffect(() => {
    // Screen readers are told of the new screen; of the first one the browser tells them.
    if (history.length > 1) document.querySelector('h1')?.focus()
  }, [shown])

  if (status === 'moved') {
    return (
      <main>
        <p role="status">{t(texts.moved)}</p>
        <button type="button" onClick={() => void startOver(page)}>
          {t(texts.startOver)}
        </button>
      </main>
    )
  }
  return <main>{shown && <shown.Screen goOn={goOn} goTo={goTo} />}</main>
}
