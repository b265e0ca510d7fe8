let asked: AbortController | null = null

/**
 * A signal that is aborted when somebody presses Ctrl-C: what is under way then ends as it should. A second time ends the
 * process at once.
 */
export function interruption(): AbortSignal {
  asked ??= listen()
  return asked.signal
}

function listen(): AbortController {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller
}
