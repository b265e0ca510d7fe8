import { NAME_MAX_CHARS } from '@tillwright/contract'
import { OperatorError } from '../ambient/operator-error.ts'

/**
 * A name without the blanks around it.
 *
 * @throws {OperatorError} When nothing, or too much, is left.
 */
export function checkName(name: string): string {
  const trimmed = name.trim()
  if (trimmed.length > 0 && trimmed.length <= NAME_MAX_CHARS) return trimmed
  throw new OperatorError(`--name: must have 1 to ${NAME_MAX_CHARS} characters.`)
}
