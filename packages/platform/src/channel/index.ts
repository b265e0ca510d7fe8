export { type Channel, ChannelUnreachable, openChannel } from './channel-client.ts'
export { type ChannelOperations, listenOnChannel, type ListeningChannel } from './channel-server.ts'
export { certificateEndMs, type ChannelTls } from './tls.ts'
