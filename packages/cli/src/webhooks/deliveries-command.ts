import { choices } from '@tillwright/platform'
import { Command, Option } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { wholeNumber } from '../option-values.ts'
import { showDeliveries } from './show-deliveries.ts'

interface DeliveriesOptions extends OutputOptions {
  account?: string
  endpoint?: string
  state?: (typeof choices.deliveryStates)[number]
  limit?: number
  after?: string
}

const deliveriesHelp = `
Those that failed got no 2xx answer in any of ten tries, or 410, or their endpoint was disabled or removed meanwhile. Send
them again with "tillwright webhooks replay". --json shows every try and the beginning of the last answer.`

/** `tillwright webhooks deliveries`: what became of webhooks. */
export const deliveriesCommand = new Command('deliveries')
  .description('List deliveries of events to endpoints, those of the newest events first')
  .option('--account <id>', 'whose; may be left out where there is one account, or where the endpoint tells')
  .option('--endpoint <id>', 'to this endpoint alone: whe_...')
  .addOption(new Option('--state <state>', 'those alone that are at this').choices(choices.deliveryStates))
  .addOption(new Option('--limit <number>', 'how many, 1 to 100; 20 unless given').argParser(wholeNumber))
  .option('--after <cursor>', 'the next page, by the cursor that the page before ends with')
  .option(...jsonOption)
  .addHelpText('after', `${deliveriesHelp}\n${settingsHelp}`)
  .action(({ json, ...wanted }: DeliveriesOptions) =>
    operate(json === true ? { json } : {}, ({ deliveries }) => deliveries.list(wanted), { show: showDeliveries }),
  )
