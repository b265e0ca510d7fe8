import { useState } from 'preact/hooks'
import { TillwrightError } from '@tillwright/plugin-sdk'
import { useOrder, usePage } from '@tillwright/plugin-sdk/preact'
import type { Texts } from '../texts/en.ts'

/** The code that a buyer types, and those of the order. */
export interface PromotionCodes {
  typed: string
  /** The problem with the entered code, as a key of the texts, or `null`. */
  problem: keyof Texts | null
  entered: readonly string[]
  type(code: string): void
  /** Submits the entered code, and sets `problem` if it is refused. */
  apply(): Promise<void>
  /** Takes a code out. */
  remove(code: string): Promise<void>
}

/** Enters codes into the order and takes them out. */
export function usePromotionCode(): PromotionCodes {
  const { order } = usePage()
  const shown = useOrder()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<PromotionCodes['problem']>(null)
  return {
    typed,
    problem,
    entered: shown?.promotionCodes ?? [],
    type(code) {
      setTyped(code)
      setProblem(null)
    },
    async apply() {
      const code = typed.trim()
      if (code === '') return
      try {
        await order.applyPromotionCode(code)
        setTyped('')
        setProblem(null)
      } catch (error) {
        setProblem(error instanceof TillwrightError && error.param === 'code' ? 'codeUnknown' : 'failed')
      }
    },
    async remove(code) {
      await order.removePromotionCode(code).catch(() => setProblem('failed'))
    },
  }
}
