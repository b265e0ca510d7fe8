import { findPaymentFlow, liveTakes, readPastPayments, type Replayed, replayFlow } from '../routing/index.ts'
import { OperatorError } from '../runtime/index.ts'
import { chooseAccount } from './accounts.ts'
import type { OperatorServices } from './operator-services.ts'
import { readNames } from './payments.ts'

/** Default and maximum number of payments to replay. */
const PAYMENTS_DEFAULT = 1_000
const PAYMENTS_MAX = 100_000

/** The payments to replay, and the flow to replay them through. */
export interface WantedFlowReplay {
  /** May be left out where there is one account. */
  account?: string
  flow: string
  /** The newest so many, 1 to 100,000; 1,000 unless given, and all since `sinceMs` where that is given. */
  payments?: number
  /** Only payments since this time, in Unix milliseconds. */
  sinceMs?: number
}

/** Where payments would have gone. */
export interface ReplayedPayments extends Replayed {
  flow: { id: string; name: string }
  /** The names of processors by their ids. */
  names: Readonly<Record<string, string>>
}

/** Operator commands for payment flows. */
export interface FlowReplays {
  /** Replays past payments through another flow, without contacting any processor. */
  replay(wanted: WantedFlowReplay): Promise<ReplayedPayments>
}

export function replayFlows({ db }: OperatorServices): FlowReplays {
  return {
    async replay({ account, flow: flowId, payments, sinceMs }) {
      const limit = payments ?? (sinceMs === undefined ? PAYMENTS_DEFAULT : PAYMENTS_MAX)
      if (limit < 1 || limit > PAYMENTS_MAX) {
        throw new OperatorError(`--payments: must be 1 to ${PAYMENTS_MAX}; choose a number in between.`)
      }
      const accountId = await chooseAccount(db, account)
      const flow = await findPaymentFlow(flowId, accountId, db)
      if (flow === null || flow.archived) {
        throw new OperatorError(
          `--flow: the account ${accountId} has no live payment flow '${flowId}'; name one of its own.`,
        )
      }
      const [{ payments: past }, processors, names] = await Promise.all([
        readPastPayments({ accountId, sinceMs: sinceMs ?? 0, limit }, db),
        liveTakes(accountId, db),
        readNames(accountId, db),
      ])
      const replayed = await replayFlow(past, { flow, processors })
      return { ...replayed, flow: { id: flow.id, name: flow.name }, names }
    },
  }
}
