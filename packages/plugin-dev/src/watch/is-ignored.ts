/** Folders of any depth that hold nothing of what an author writes. */
const folders = /(?:^|\/)(?:node_modules|\.git|\.tillwright|\.turbo|\.cache)(?:\/|$)/
/** What builds, tests and editors leave behind. */
const outputs = /^(?:dist|coverage|test-results|playwright-report)(?:\/|$)/
const drafts = /(?:^|\/)(?:\.#[^/]*|[^/]*~|[^/]*\.sw[a-p]|4913|\.DS_Store)$/

/**
 * Whether a path is nothing that a page is made of.
 *
 * @param path Relative to the plugin's folder, with `/` between its names. What lies outside is never ignored.
 */
export function isIgnored(path: string): boolean {
  return !path.startsWith('../') && (folders.test(path) || outputs.test(path) || drafts.test(path))
}
