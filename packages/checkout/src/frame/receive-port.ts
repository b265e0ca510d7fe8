import { isHandshake, WIRE_VERSION, type Handshake } from '../wire/handshake.ts'
import type { FrameConfig } from './frame-config.ts'

/**
 * Says hello to the page and waits for its end of the channel. Both go to, and come from, exactly the origin that the
 * vault has checked; after the port has come, no window message is listened to any more.
 *
 * @param frame The frame's own window.
 */
export function receivePort(frame: Window, { id, origin }: Pick<FrameConfig, 'id' | 'origin'>): Promise<MessagePort> {
  return new Promise((resolve) => {
    frame.addEventListener('message', receive)
    const hello: Handshake = { tillwright: 'hello', v: WIRE_VERSION, id }
    frame.parent.postMessage(hello, origin)

    function receive(event: MessageEvent): void {
      const [port] = event.ports
      const isPage = event.source === frame.parent && event.origin === origin
      if (!isPage || !port || !isHandshake(event.data, 'port', id)) return
      frame.removeEventListener('message', receive)
      resolve(port)
    }
  })
}
