import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useLocale, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../flow/funnel-context.ts'
import { Icon } from '../parts/icon.tsx'

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

type Deadline = Tillwright.Config['deadline']

/** The time left until a deadline. */
export interface TimeLeft {
  days: number
  hours: number
  minutes: number
  seconds: number
}

/**
 * When the price of an order ends: with the promotion that the settings name, only while it reduces the order, and never
 * behind its end. The platform says when that is, so it is the same moment for every buyer, whenever they come.
 *
 * @returns Milliseconds since 1970, or `null` if there is nothing to count down to.
 */
export function deadlineOf(
  { isShown, code, name }: Deadline,
  order: Pick<SessionOrder, 'promotions'> | null,
  nowMs: number,
): number | null {
  const promotion = order?.promotions.applied.find((applied) =>
    code === '' ? applied.name === name : applied.code?.toLowerCase() === code.toLowerCase(),
  )
  const endMs = Date.parse(promotion?.endsAt ?? '')
  return isShown && endMs > nowMs ? endMs : null
}

/** A time in days, hours, minutes and seconds; the seconds are rounded up, so that zero is the end. */
export function timeLeft(ms: number): TimeLeft {
  const total = Math.max(0, Math.ceil(ms / 1_000))
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3_600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  }
}
