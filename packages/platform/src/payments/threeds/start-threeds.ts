import type { ThreedsProviderName } from '@tillwright/contract'
import type { EmvMessage } from '@tillwright/emv-3ds'
import type { Parts } from '../../call.ts'
import { configuredProviders } from './directory/configured-providers.ts'
import { startEngine, type RunningEngine } from './engine/start-engine.ts'
import { receiveResult } from './receive-result.ts'
import { recordResult } from './record-result.ts'
import { sessionWatch } from './session-watch.ts'
import { engineProviders } from './threeds-providers.ts'
import type { ThreedsServer } from './threeds-server.ts'

/** 3-D Secure at work: the built-in engine or the providers of an operator, and where their results go. */
export interface RunningThreeds extends RunningEngine {
  server: ThreedsServer
  /**
   * Receives what directory servers say of challenges: an RReq as JSON, answered by an RRes or an Erro.
   *
   * @param from The providers whose sessions the sender may end; all of them unless given.
   */
  receive: (rreq: string, from?: readonly ThreedsProviderName[]) => Promise<EmvMessage>
}

/** The origins, and what is aborted when the platform stops: nobody waits any more. */
export interface ThreedsPlaces {
  apiUrl: string
  vaultUrl: string
  stopping: AbortSignal
}

/** Starts what 3-D Secure consists of. The engine keeps a transcript of its own; in production it is kept here. */
export function startThreeds(parts: Parts, { apiUrl, vaultUrl, stopping }: ThreedsPlaces): RunningThreeds {
  const watch = sessionWatch(parts.clock, stopping)
  const alongside = parts.environment === 'production' ? recordResult(parts) : () => []
  const receive: RunningThreeds['receive'] = (rreq, from) => receiveResult(rreq, { parts, watch, alongside, from })
  const { engine, stop } = startEngine(parts, apiUrl, async (rreq) => JSON.stringify(await receive(rreq)))
  const providers = engine === null ? configuredProviders(parts) : engineProviders(engine)
  return { engine, stop, receive, server: { providers, vaultUrl, watch } }
}
