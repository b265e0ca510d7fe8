import { type useCard, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'

/** The card form, and a way to load it again where it did not come. */
export function CardFields({ card }: { card: ReturnType<typeof useCard> }) {
  const t = useText()
  return (
    <>
      <div ref={card.ref} />
      {card.status === 'failed' && (
        <p className="problem" role="alert">
          {t(texts.cardFailed)}{' '}
          <button type="button" className="plain" onClick={card.retry}>
            {t(texts.retry)}
          </button>
        </p>
      )}
    </>
  )
}
