/** An error of publishing. `code` is for programs, the message says how to fix it. */
export class PublishError extends Error {
  override readonly name = 'PublishError'
  readonly code: PublishErrorCode

  constructor(code: PublishErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * `moved`: the platform has changed since the plan; `changed`: the plugin has; `taken`: the version is deployed with
 * different content; `conflict`: author and merchant have changed the same value; `invalid`: live presets would become
 * invalid; `too_large`: above the platform's limits.
 */
export type PublishErrorCode = 'moved' | 'changed' | 'taken' | 'conflict' | 'invalid' | 'too_large'
