import type { Operation } from '@tillwright/contract'

/** A call's method and address, with its parameters in their places. */
export function addressOf(
  operation: Operation,
  sent: { params?: object | undefined; query?: object | undefined } = {},
): { method: string; path: string } {
  const params: Record<string, string> = { ...sent.params }
  const query: Record<string, string> = { ...sent.query }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return { method: operation.method, path: search === '' ? path : `${path}?${search}` }
}
