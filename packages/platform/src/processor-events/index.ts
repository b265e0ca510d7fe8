export { hearSimulated, type ReceivedEvent, receiveEvent } from './receive-event.ts'
