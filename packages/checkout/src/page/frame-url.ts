import type { Settings } from './options.ts'

/** The address of one of the vault's frames, which names whose page asks for it. */
export function frameUrl(
  frame: 'card' | 'threeds',
  { vaultOrigin, publishableKey: key, preview }: Settings,
  rest: Readonly<Record<string, string>>,
): string {
  const query = { key, origin: location.origin, ...rest, ...(preview && { preview }) }
  return `${vaultOrigin}/v1/${frame}?${new URLSearchParams(query)}`
}
