import { isObject } from '@tillwright/contract/json'
import { kept, type PersonalTable, removed, replacedJson } from '../storage/index.ts'

/** Events name objects by their ids; what a page reports of its own may say anything. */
export const eventsPersonalData: PersonalTable[] = [
  {
    table: 'events',
    key: ['id'],
    customer: 'customer_id',
    columns: {
      id: kept('id_of_event'),
      customer_id: kept('name_of_nobody'),
      event_type: kept('what_happened'),
      properties: replacedJson('the same without what a page reported of its own', (properties) =>
        isObject(properties) && 'properties' in properties ? { ...properties, properties: {} } : properties,
      ),
      created_at: kept('what_happened'),
    },
    others: 'account_id store_id draft processed_at traceparent',
  },
  {
    table: 'webhook_deliveries',
    key: ['event_id', 'endpoint_id'],
    by: 'event_id',
    belongsTo: [{ table: 'events', column: 'id' }],
    columns: { last_response: removed },
    others: 'account_id event_id endpoint_id state attempts attempt_log holder next_attempt_at last_status created_at',
  },
]
