type Manifest = Readonly<Record<string, unknown>>

/** A manifest as a platform keeps it, where every page says whether it is the default. */
export function asKept(manifest: Manifest): Manifest {
  const path = defaultPathOf(manifest)
  return { ...manifest, pages: pages(manifest).map((page) => ({ ...page, isDefault: page.path === path })) }
}

/** The paths of a manifest's pages, in its order. */
export function pathsOf(manifest: Manifest): string[] {
  return pages(manifest).map(({ path }) => path)
}

/** The path of the page that `/` shows: the one that says so, or the first. */
export function defaultPathOf(manifest: Manifest): string | null {
  const all = pages(manifest)
  return (all.find((page) => page.isDefault === true) ?? all[0])?.path ?? null
}

function pages({ pages: value }: Manifest): { path: string; isDefault?: unknown }[] {
  return Array.isArray(value) ? value : [] // the platform has checked what it answers, and the reader what is to be sent
}
