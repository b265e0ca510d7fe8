export { type ReceivedEvent, receiveEvent } from './receive-event.ts'
