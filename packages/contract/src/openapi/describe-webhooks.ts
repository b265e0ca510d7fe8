import { exampleProperties } from '../examples.ts'
import { exampleId } from '../ids.ts'
import { type EventType, eventTypes } from '../resources/event-types.ts'
import { event, webhookPayload } from '../resources/events.ts'
import { exampleIn } from './agreeing-examples.ts'
import { type Components, type Json, schemaOf } from './schema-of.ts'

/** The headers of a delivery. Source: Standard Webhooks 1.0.0, "Webhook Headers". */
const parameters = [
  header(
    'webhook-id',
    'The id of the event, the same for every attempt: ignore an event you have already processed.',
    exampleId('event'),
  ),
  header('webhook-timestamp', 'The time of this attempt: Unix time in seconds.', '1795167000'),
  header(
    'webhook-signature',
    'One signature per live secret, separated by spaces.',
    'v1,5jVq0mXcH4rWq1oYzQkqgYb0m7Yw2hJkP3nJ0r4xT8s=',
  ),
]

/** Describes each event type as the delivery sent to an endpoint. */
export function describeWebhooks({ schemas }: Pick<Components, 'schemas'>): Json {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, properties]) => {
      const schema = {
        allOf: [
          schemaOf(webhookPayload, 'output', schemas),
          {
            properties: {
              type: { const: type, description: 'The type of the event.' },
              data: {
                properties: {
                  properties: { description: 'The details of the event.', ...schemaOf(properties, 'output', schemas) },
                },
                description: 'The event.',
              },
            },
          },
        ],
      }
      const payload = exampleIn(schemaOf(webhookPayload, 'output', schemas), { schemas })
      const happened = exampleIn(schemaOf(event.omit({ customer: true, store: true }), 'output', schemas), { schemas })
      const data = { ...Object(happened), eventType: type, properties: exampleProperties(type as EventType) } // the table's keys are the types
      const composed = { ...Object(payload), type, data }
      return [type, { post: describeWebhook(type, properties.description, { schema, example: composed }) }]
    }),
  )
}

function describeWebhook(type: string, meaning: string | undefined, { schema, example }: Json): Json {
  return {
    operationId: type,
    tags: ['webhooks'],
    security: [], // deliveries are signed and carry no key
    summary: type,
    description: meaning ?? `Sent for each event of type \`${type}\`.`,
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: { 200: { description: 'Any 2xx acknowledges the delivery; after anything else it is retried.' } },
  }
}

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } }
}
