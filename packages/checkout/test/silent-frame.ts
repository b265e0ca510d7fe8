/** In a frame: it answers nothing any more. Nothing else of a dead process is seen in the page. */
export function fallSilent(): void {
  MessagePort.prototype.postMessage = () => {}
}

/** In a frame, before its own code: it answers like that of a release which knew no questions. */
export function dropPings(): void {
  const { postMessage } = MessagePort.prototype
  MessagePort.prototype.postMessage = function post(this: MessagePort, message: unknown) {
    if (Object(message).type !== 'ping') postMessage.call(this, message)
  }
}
