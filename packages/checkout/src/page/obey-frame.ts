import type { ToPage } from '../wire/messages.ts'
import { showFrame } from './create-iframe.ts'
import { warnShop } from './warn-shop.ts'

/** The messages that tell of the card; the others are about the frame's element and the shop's options. */
export type MessageToCard = Exclude<ToPage, { type: 'resize' | 'title' | 'dropped' }>

/** Does what the frame asks for. @returns The message if it is another one and tells of the card. */
export function obeyFrame(iframe: HTMLIFrameElement, message: ToPage): MessageToCard | null {
  if (message.type === 'resize') showFrame(iframe, message.height)
  else if (message.type === 'title') iframe.title = message.title
  else if (message.type === 'dropped') warnShop(`${message.variable} is left out: ${message.rule}`)
  else return message
  return null
}
