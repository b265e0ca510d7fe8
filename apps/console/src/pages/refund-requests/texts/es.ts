import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  title: 'Solicitudes de reembolso',
  empty: 'No hay reembolsos en espera',
  emptyHint:
    'Los reembolsos por encima del límite de la cuenta esperan aquí a una segunda persona. Los propietarios fijan el límite en la página de la cuenta.',
  amount: 'Importe',
  status: 'Estado',
  requestedBy: 'Solicitado por',
  reason: 'Motivo',
  expires: 'Caduca',
  decision: 'Decisión',
  decide: 'Decidir',
  request: 'Solicitud',
  refundOf: 'Reembolso de {amount}',
  payment: 'Pago',
  requested: 'Solicitado',
  decidedBy: 'Decidido por',
  decided: 'Decidido',
  refund: 'Reembolso',
  own: 'Usted ha solicitado este reembolso, así que debe aprobarlo otra persona: dos personas revisan cada reembolso por encima del límite. Puede retirarlo.',
  effect:
    'Si lo aprueba, {amount} vuelve a la tarjeta del comprador. No se puede deshacer. Si lo rechaza, no se reembolsa nada.',
  approve: 'Aprobar {amount}',
  decline: 'Rechazar',
  takeBack: 'Retirar',
}
