/** A value as an object of any keys; what is none has no keys. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** A value as a list; what is none is empty. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? [...value] : []
}
