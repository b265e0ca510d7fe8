/** Bytes for people: `812 B`, `4.1 kB`, `2.3 MB`; 1 kB is 1,000 B. */
export function showBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const inKilobytes = bytes < 999_950
  return `${(bytes / (inKilobytes ? 1_000 : 1_000_000)).toFixed(1)} ${inKilobytes ? 'kB' : 'MB'}`
}
