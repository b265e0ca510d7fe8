/** The texts of the page where a buyer pays with a method that is no card. */
const en = {
  pay: 'Pay',
  payVoucher: 'Pay with your voucher',
  paidAtTill: 'Paid at the till',
  otherEnds: 'Other ends to try',
  letExpire: 'Let the time run out',
  payLate: 'Pay after the time',
  orderEnded: 'Nothing is left to pay here',
  orderEndedWhy: 'It was paid, canceled, or its time is over. You can close this page.',
}

export type OrderTexts = Readonly<typeof en>

const de: OrderTexts = {
  pay: 'Bezahlen',
  payVoucher: 'Mit dem Gutschein bezahlen',
  paidAtTill: 'An der Kasse bezahlt',
  otherEnds: 'Andere Ausgänge zum Ausprobieren',
  letExpire: 'Zeit ablaufen lassen',
  payLate: 'Nach Ablauf bezahlen',
  orderEnded: 'Hier ist nichts mehr zu bezahlen',
  orderEndedWhy: 'Die Zahlung ist erledigt, abgebrochen oder abgelaufen. Sie können diese Seite schließen.',
}

const fr: OrderTexts = {
  pay: 'Payer',
  payVoucher: 'Payer avec votre bon',
  paidAtTill: 'Payé en caisse',
  otherEnds: 'Autres issues à essayer',
  letExpire: 'Laisser expirer',
  payLate: 'Payer après l’expiration',
  orderEnded: 'Il n’y a plus rien à payer ici',
  orderEndedWhy: 'Le paiement est fait, annulé ou expiré. Vous pouvez fermer cette page.',
}

const es: OrderTexts = {
  pay: 'Pagar',
  payVoucher: 'Pagar con el vale',
  paidAtTill: 'Pagado en caja',
  otherEnds: 'Otros finales para probar',
  letExpire: 'Dejar que caduque',
  payLate: 'Pagar después del plazo',
  orderEnded: 'Ya no hay nada que pagar aquí',
  orderEndedWhy: 'El pago se hizo, se canceló o caducó. Puede cerrar esta página.',
}

const it: OrderTexts = {
  pay: 'Paga',
  payVoucher: 'Paga con il buono',
  paidAtTill: 'Pagato in cassa',
  otherEnds: 'Altri esiti da provare',
  letExpire: 'Lascia scadere',
  payLate: 'Paga dopo la scadenza',
  orderEnded: 'Qui non c’è più nulla da pagare',
  orderEndedWhy: 'Il pagamento è stato eseguito, annullato o è scaduto. Può chiudere questa pagina.',
}

const nl: OrderTexts = {
  pay: 'Betalen',
  payVoucher: 'Betaal met je voucher',
  paidAtTill: 'Betaald aan de kassa',
  otherEnds: 'Andere afloop om te proberen',
  letExpire: 'Tijd laten verlopen',
  payLate: 'Betalen na afloop',
  orderEnded: 'Hier valt niets meer te betalen',
  orderEndedWhy: 'Er is betaald, geannuleerd of de tijd is verlopen. U kunt deze pagina sluiten.',
}

const pt: OrderTexts = {
  pay: 'Pagar',
  payVoucher: 'Pagar com o voucher',
  paidAtTill: 'Pago no caixa',
  otherEnds: 'Outros desfechos para testar',
  letExpire: 'Deixar expirar',
  payLate: 'Pagar depois do prazo',
  orderEnded: 'Não há mais nada a pagar aqui',
  orderEndedWhy: 'O pagamento foi feito, cancelado ou expirou. Pode fechar esta página.',
}

const pl: OrderTexts = {
  pay: 'Zapłać',
  payVoucher: 'Zapłać kuponem',
  paidAtTill: 'Zapłacono w kasie',
  otherEnds: 'Inne zakończenia do wypróbowania',
  letExpire: 'Pozwól, by czas minął',
  payLate: 'Zapłać po terminie',
  orderEnded: 'Nie ma tu już nic do zapłaty',
  orderEndedWhy: 'Płatność została dokonana, anulowana lub wygasła. Możesz zamknąć tę stronę.',
}

const ja: OrderTexts = {
  pay: '支払う',
  payVoucher: 'バウチャーで支払う',
  paidAtTill: 'レジで支払い済み',
  otherEnds: 'その他の結果を試す',
  letExpire: '期限切れにする',
  payLate: '期限後に支払う',
  orderEnded: 'ここで支払うものはありません',
  orderEndedWhy: '支払いは完了、取り消し、または期限切れです。このページを閉じてください。',
}

const ar: OrderTexts = {
  pay: 'ادفع',
  payVoucher: 'ادفع بالقسيمة',
  paidAtTill: 'تم الدفع في الصندوق',
  otherEnds: 'نهايات أخرى للتجربة',
  letExpire: 'دع الوقت ينتهي',
  payLate: 'ادفع بعد انتهاء الوقت',
  orderEnded: 'لم يبق شيء للدفع هنا',
  orderEndedWhy: 'تم الدفع أو أُلغي أو انتهى وقته. يمكنك إغلاق هذه الصفحة.',
}

/** They in each language of the bank's pages. */
export const orderTexts = { ar, de, en, es, fr, it, ja, nl, pl, pt }
