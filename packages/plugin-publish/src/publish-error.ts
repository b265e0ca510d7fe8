/** An error of publishing. `code` is for programs, the message says what to do. */
export class PublishError extends Error {
  override readonly name = 'PublishError'
  readonly code: PublishErrorCode

  constructor(code: PublishErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * `moved`: the platform is no longer as the plan says; `changed`: the plugin is not; `taken`: the version is deployed with
 * other content; `conflict`: author and merchant have changed the same; `invalid`: live presets would become invalid;
 * `too_large`: more than the platform takes.
 */
export type PublishErrorCode = 'moved' | 'changed' | 'taken' | 'conflict' | 'invalid' | 'too_large'
