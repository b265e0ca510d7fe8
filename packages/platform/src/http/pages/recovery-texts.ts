/** The texts of the page behind a recovery link. `{…}` is filled in by the page. */
export interface RecoveryTexts {
  title: string
  what: string
  same: string
  other: string
  pay: string
  working: string
  asking: string
  declined: string
  failed: string
  paid: string
  ended: string
  paused: string
  processing: string
  invalid: string
}

const en: RecoveryTexts = {
  title: 'Your payment to {shop}',
  what: '{name}: {amount} could not be charged to your card.',
  same: 'Confirm with your bank and pay with {card}',
  other: 'Pay with another card',
  pay: 'Pay {amount}',
  working: 'One moment, please.',
  asking: 'Your bank asks you to confirm the payment.',
  declined: 'The payment was declined. Try another card.',
  failed: 'That did not work. Please try again.',
  paid: 'Thank you. It is paid, and your subscription goes on.',
  ended: 'This subscription has ended. There is nothing to pay.',
  paused: 'This subscription is paused. Nothing is charged until it goes on.',
  processing: 'The payment is under way. Please look again in a moment.',
  invalid: 'This link is not valid any more. Ask the shop for a new one.',
}

const de: RecoveryTexts = {
  title: 'Ihre Zahlung an {shop}',
  what: '{name}: {amount} konnten nicht von Ihrer Karte abgebucht werden.',
  same: 'Bei der Bank bestätigen und mit {card} zahlen',
  other: 'Mit einer anderen Karte zahlen',
  pay: '{amount} zahlen',
  working: 'Einen Moment, bitte.',
  asking: 'Ihre Bank bittet Sie, die Zahlung zu bestätigen.',
  declined: 'Die Zahlung wurde abgelehnt. Versuchen Sie es mit einer anderen Karte.',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  paid: 'Vielen Dank. Es ist bezahlt, und Ihr Abonnement läuft weiter.',
  ended: 'Dieses Abonnement ist beendet. Es ist nichts zu zahlen.',
  paused: 'Dieses Abonnement ist pausiert. Bis es weitergeht, wird nichts abgebucht.',
  processing: 'Die Zahlung läuft. Bitte sehen Sie gleich noch einmal nach.',
  invalid: 'Dieser Link gilt nicht mehr. Bitten Sie den Händler um einen neuen.',
}

const fr: RecoveryTexts = {
  title: 'Votre paiement à {shop}',
  what: '{name} : {amount} n’ont pas pu être débités de votre carte.',
  same: 'Confirmer auprès de votre banque et payer avec {card}',
  other: 'Payer avec une autre carte',
  pay: 'Payer {amount}',
  working: 'Un instant, s’il vous plaît.',
  asking: 'Votre banque vous demande de confirmer le paiement.',
  declined: 'Le paiement a été refusé. Essayez une autre carte.',
  failed: 'Cela n’a pas fonctionné. Veuillez réessayer.',
  paid: 'Merci. C’est payé, et votre abonnement continue.',
  ended: 'Cet abonnement a pris fin. Il n’y a rien à payer.',
  paused: 'Cet abonnement est en pause. Rien ne sera débité avant sa reprise.',
  processing: 'Le paiement est en cours. Revenez dans un instant.',
  invalid: 'Ce lien n’est plus valable. Demandez-en un nouveau à la boutique.',
}

const es: RecoveryTexts = {
  title: 'Su pago a {shop}',
  what: '{name}: no se pudo cobrar {amount} a su tarjeta.',
  same: 'Confirmar con su banco y pagar con {card}',
  other: 'Pagar con otra tarjeta',
  pay: 'Pagar {amount}',
  working: 'Un momento, por favor.',
  asking: 'Su banco le pide que confirme el pago.',
  declined: 'El pago fue rechazado. Pruebe con otra tarjeta.',
  failed: 'No ha funcionado. Inténtelo de nuevo.',
  paid: 'Gracias. Está pagado y su suscripción continúa.',
  ended: 'Esta suscripción ha terminado. No hay nada que pagar.',
  paused: 'Esta suscripción está en pausa. No se cobrará nada hasta que se reanude.',
  processing: 'El pago está en curso. Vuelva a mirar en un momento.',
  invalid: 'Este enlace ya no es válido. Pida uno nuevo a la tienda.',
}

const ar: RecoveryTexts = {
  title: 'دفعتك إلى {shop}',
  what: '{name}: تعذّر خصم {amount} من بطاقتك.',
  same: 'أكّد مع مصرفك وادفع بالبطاقة {card}',
  other: 'ادفع ببطاقة أخرى',
  pay: 'ادفع {amount}',
  working: 'لحظة من فضلك.',
  asking: 'يطلب منك مصرفك تأكيد الدفع.',
  declined: 'رُفض الدفع. جرّب بطاقة أخرى.',
  failed: 'لم ينجح ذلك. حاول مرة أخرى.',
  paid: 'شكرًا. تم الدفع واشتراكك مستمر.',
  ended: 'انتهى هذا الاشتراك. لا شيء للدفع.',
  paused: 'هذا الاشتراك متوقف مؤقتًا. لن يُخصم شيء حتى يُستأنف.',
  processing: 'الدفع جارٍ. انظر مرة أخرى بعد لحظة.',
  invalid: 'لم يعد هذا الرابط صالحًا. اطلب رابطًا جديدًا من المتجر.',
}

const languages: ReadonlyMap<string, RecoveryTexts> = new Map(Object.entries({ en, de, fr, es, ar }))

/** The language that a browser wants most and that there is; English unless there is one. */
export function recoveryLanguage(acceptLanguage: string | undefined): { lang: string; texts: RecoveryTexts } {
  const wanted = (acceptLanguage ?? '').split(',').map((each) => each.trim().slice(0, 2).toLowerCase())
  for (const lang of wanted) {
    const texts = languages.get(lang)
    if (texts !== undefined) return { lang, texts }
  }
  return { lang: 'en', texts: en }
}
