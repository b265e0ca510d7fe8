import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  title: 'Disputas',
  empty: 'No hay disputas',
  emptyHint:
    'Ningún comprador ha disputado nada hasta ahora. Para ver una antes de producción, pague con esta tarjeta de prueba:',
  amount: 'Importe',
  status: 'Estado',
  kind: 'Tipo',
  'kind.chargeback': 'Contracargo',
  'kind.inquiry': 'Consulta',
  reason: 'Motivo',
  payment: 'Pago',
  order: 'Pedido',
  created: 'Abierta',
  closed: 'Cerrada',
  details: 'Datos',
  money: 'Qué significa para el dinero',
  'meaning.chargeback':
    'El procesador retiene este importe hasta que el banco decida. Responda con sus pruebas en el procesador; mientras tanto no se puede reembolsar.',
  'meaning.inquiry':
    'Por ahora el banco solo pregunta y no se retiene nada. Responda en el procesador; si se pierde la disputa, se retira el importe.',
  'meaning.won': 'El banco ha decidido a su favor. Lo retenido vuelve a ser suyo.',
  'meaning.lost': 'El banco ha decidido a favor del comprador. El dinero se ha perdido definitivamente.',
  customer: 'Cliente',
  card: 'Tarjeta',
  processor: 'Procesador',
  threeds: '3-D Secure',
  yes: 'Sí',
  no: 'No',
  refunded: 'Reembolsado',
  paid: 'Pagado',
}
