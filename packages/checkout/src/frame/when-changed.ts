/**
 * Passes states on to a listener, but none that is like the one before.
 *
 * @param state What the listener knows already; without it, the first state is passed on in any case.
 */
export function whenChanged<T>(listener: (state: T) => unknown, state?: NoInfer<T>): (state: T) => void {
  let last = JSON.stringify(state)
  return (next) => {
    const serialised = JSON.stringify(next)
    if (serialised === last) return
    last = serialised
    listener(next)
  }
}
