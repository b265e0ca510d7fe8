/** What is wrong with a plugin, at the place where it is wrong. */
export interface Problem {
  /** Stable, for machines: words with hyphens, such as `duplicate-key`. */
  code: string
  /** An error ends a build or a deployment; a warning is told and nothing more. */
  severity: 'error' | 'warning'
  /** Relative to the plugin's folder, with `/` between its names. */
  file: string
  /** From 1. A file that cannot be read has its problem at line 1, column 1. */
  line: number
  /** From 1, in UTF-16 code units as editors count. */
  column: number
  /** The JSON pointer of the value (RFC 6901, `''` for the whole file), or null where the file holds no JSON. */
  pointer: string | null
  /** What has to hold, in one plain sentence. */
  rule: string
  /** What to do about it, in one plain sentence. */
  fix: string
}
