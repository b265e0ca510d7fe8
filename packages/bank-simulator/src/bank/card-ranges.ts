import { checkMessage, requiredText, type EmvMessage } from '@tillwright/emv-3ds'
import { drawnUuid } from './draws.ts'

/** A range of cards whose issuer takes part. */
interface CardRange {
  /** The first digits of all numbers in the range. */
  prefix: string
  /** Digits of a number. */
  length: number
  /** Whether the issuer has a method page. */
  method: boolean
}

/**
 * The ranges of the simulated directory: the test ranges of the networks. American Express and Discover have no method
 * page, so that both ways can be tried; any other card is none of the directory's.
 */
const ranges: readonly CardRange[] = [
  { prefix: '4', length: 16, method: true },
  ...['51', '52', '53', '54', '55', '22', '23', '24', '25', '26', '27'].map((prefix) => {
    return { prefix, length: 16, method: true }
  }),
  { prefix: '34', length: 15, method: false },
  { prefix: '37', length: 15, method: false },
  { prefix: '6011', length: 16, method: false },
  { prefix: '65', length: 16, method: false },
  { prefix: '35', length: 16, method: true },
]

/**
 * Answers the question for card ranges.
 *
 * @param preqText A PReq as JSON.
 * @param methodUrl Where the method page of the simulated issuer is.
 * @returns A PRes, or an Erro.
 */
export function answerPreq(preqText: string, methodUrl: string): EmvMessage {
  const checked = checkMessage(preqText, { types: ['PReq'], component: 'D' })
  if (checked.outcome === 'error') return checked.erro
  const { message } = checked
  const transactionId = requiredText(message, 'threeDSServerTransID')
  return {
    messageType: 'PRes',
    messageVersion: message.messageVersion,
    threeDSServerTransID: transactionId,
    dsTransID: drawnUuid('ds', transactionId),
    serialNumber: '1',
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
    cardRangeData: ranges.map((range) => written(range, methodUrl)),
  }
}

/** The method page of a card's issuer; `null` when it has none, or takes no part at all. */
export function methodUrlOf(cardNumber: string, methodUrl: string): string | null {
  const range = ranges.find(({ prefix, length }) => cardNumber.startsWith(prefix) && cardNumber.length === length)
  return range?.method === true ? methodUrl : null
}

function written({ prefix, length, method }: CardRange, methodUrl: string) {
  return {
    startRange: prefix.padEnd(length, '0'),
    endRange: prefix.padEnd(length, '9'),
    actionInd: 'A',
    acsStartProtocolVersion: '2.1.0',
    acsEndProtocolVersion: '2.2.0',
    ...(method && { threeDSMethodURL: methodUrl }),
  }
}
