import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useLocale, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import { deadlineOf, timeLeft } from '../offer/deadline-of.ts'
import { Icon } from './icon.tsx'

interface CountdownProps {
  deadline: Tillwright.Config['deadline']
  /** The order whose price ends. */
  order: SessionOrder | null
  /** Called when it does. */
  onEnd: () => void
}

/** Counts down to the end of the promotion that reduces the order; nothing without one. */
export function Countdown({ deadline, order, onEnd }: CountdownProps): JSX.Element | null {
  const [nowMs, setNowMs] = useState(Date.now)
  const endMs = deadlineOf(deadline, order, nowMs)
  useEffect(() => {
    if (endMs === null) return undefined
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => {
      clearInterval(timer)
      if (Date.now() >= endMs) onEnd()
    }
  }, [endMs])
  const t = useText()
  const texts = useTexts()
  const locale = useLocale()
  if (endMs === null) return null
  const { days, hours, minutes, seconds } = timeLeft(endMs - nowMs)
  const date = new Date(endMs).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' })
  return (
    <p class="countdown">
      <Icon name="clock" />
      <span>{t(texts.deadline, { date })}</span>
      <span role="timer">{t(texts.deadlineLeft, { days, hours, minutes, seconds })}</span>
    </p>
  )
}
