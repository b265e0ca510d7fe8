import { pino } from 'pino'
import { manualClock, seededRandomness } from '../src/runtime/index.ts'
import { watchRanges } from '../src/threeds/directory/ranges.ts'
import { directorySettings } from '../src/threeds/directory/settings.ts'

const RANGES = 200_000
const LOOK_UPS = 100_000

/** Cost of a directory's card ranges on the main thread. */
export interface RangesFigures {
  /** The longest time that the main thread spent without a turn of its loop, in milliseconds of its own processor time. */
  heldMs: number
  /** One look-up, in microseconds. */
  lookUpUs: number
}

/** Has 200,000 ranges read as a directory answers them, and looks cards up in them. */
export async function benchRanges(): Promise<RangesFigures> {
  const url = 'https://directory.example'
  const settings = directorySettings.parse({ serverReferenceNumber: '3DS_LOA_SER_TEST_020200_00001', url })
  const services = { clock: manualClock(0), randomness: seededRandomness('ranges'), log: pino({ enabled: false }) }
  const answers = answersTo(RANGES)
  const find = watchRanges({ settings, services, link: async ({ text }) => answers(text) })
  const held = longestTurn()
  const found = await find('4000100000000005', url)
  const heldMs = held.stop()
  if (found === null) throw new Error('The card was not found.')
  const before = process.threadCpuUsage()
  for (let looked = 0; looked < LOOK_UPS; looked++) await find(`4000${String(looked).padStart(6, '0')}000005`, url)
  const { user, system } = process.threadCpuUsage(before)
  return { heldMs, lookUpUs: (user + system) / LOOK_UPS }
}

const ID = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'

/** The answer is written beforehand, all but the id of the request: the directory's work is not ours. */
function answersTo(ranges: number): (preq: string) => Buffer {
  const listed = Array.from({ length: ranges }, (_, i) => {
    const start = String(4_000_000_000 + i)
    return JSON.stringify({
      startRange: `${start}000000`,
      endRange: `${start}999999`,
      actionInd: 'A',
      acsStartProtocolVersion: '2.1.0',
      acsEndProtocolVersion: '2.2.0',
      threeDSMethodURL: `https://acs-${i % 500}.example/method`,
    })
  })
  const head = JSON.stringify({
    threeDSServerTransID: ID,
    messageType: 'PRes',
    messageVersion: '2.2.0',
    serialNumber: '1',
    dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
  }).slice(0, -1)
  const text = Buffer.from(`${head},"cardRangeData":[${listed.join(',')}]}`)
  const shared = Buffer.from(new SharedArrayBuffer(text.length))
  text.copy(shared)
  return (preq) => {
    shared.write(JSON.parse(preq).threeDSServerTransID, text.indexOf(ID))
    return shared
  }
}

/** Processor time, so that what else the machine does is not counted. */
function longestTurn(): { stop: () => number } {
  let [longestUs, last] = [0, process.threadCpuUsage()]
  let isRunning = true
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    longestUs = Math.max(longestUs, user + system)
    last = process.threadCpuUsage()
  }
  const turn = () => {
    look()
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    stop() {
      isRunning = false
      look()
      return longestUs / 1_000
    },
  }
}
