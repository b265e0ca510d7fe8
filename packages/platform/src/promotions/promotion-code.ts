/**
 * What two codes have in common that mean the same promotion: the space around them and their case do not count, and
 * neither does how a character is put together (Unicode NFKC). Upper case, because `ß` and `SS` meet there.
 */
export function codeKey(code: string): string {
  return code.trim().normalize('NFKC').toUpperCase()
}
