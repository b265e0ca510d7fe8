import type { Translation } from '@tillwright/plugin-sdk'

/** The languages that every text is in; the first is for buyers who speak none of them. */
export const locales = ['en', 'de'] as const

/** Texts of the pages, except those from the merchant's settings. */
export const texts = {
  order: { en: 'Order now', de: 'Jetzt bestellen' },
  checkout: { en: 'Checkout', de: 'Kasse' },
  goOn: { en: 'Continue', de: 'Weiter' },
  accept: { en: 'Add it for {amount}', de: 'Für {amount} dazunehmen' },
  refuse: { en: 'No, thank you', de: 'Nein, danke' },
  taken: { en: 'That is all', de: 'Das ist alles' },
  total: { en: 'Total', de: 'Summe' },
  discount: { en: 'Discount', de: 'Rabatt' },
  shipping: { en: 'Shipping', de: 'Versand' },
  tax: { en: 'Tax', de: 'Steuer' },
  free: { en: 'Free', de: 'Kostenlos' },
  noShipping: { en: 'This order cannot be shipped to you.', de: 'Wir können dir diese Bestellung nicht senden.' },
  stuck: { en: 'This did not work. Please try again.', de: 'Das hat nicht geklappt. Versuch es bitte noch einmal.' },
  empty: { en: 'Your order is empty.', de: 'Deine Bestellung ist leer.' },
  email: { en: 'Email', de: 'E-Mail' },
  emailMissing: { en: 'Enter your email address.', de: 'Gib deine E-Mail-Adresse ein.' },
  emailWrong: {
    en: 'This email address is not complete, such as ada@example.com.',
    de: 'Diese E-Mail-Adresse ist nicht vollständig, wie ada@example.com.',
  },
  cardFailed: { en: 'The card form did not load.', de: 'Das Kartenformular wurde nicht geladen.' },
  retry: { en: 'Try again', de: 'Noch einmal versuchen' },
  pay: { en: 'Pay {amount}', de: '{amount} bezahlen' },
  paying: { en: 'Paying …', de: 'Wird bezahlt …' },
  declined: { en: 'Your bank has declined the card. Try another one.', de: 'Deine Bank hat die Karte abgelehnt.' },
  insufficientFunds: {
    en: 'The card lacks the funds. Try another one.',
    de: 'Die Karte ist nicht ausreichend gedeckt.',
  },
  expiredCard: { en: 'The card has expired. Try another one.', de: 'Die Karte ist abgelaufen.' },
  incorrectCvc: { en: 'The security code is wrong.', de: 'Der Sicherheitscode stimmt nicht.' },
  cancelled: {
    en: 'You cancelled the confirmation. Nothing was charged; pay again when you like.',
    de: 'Du hast die Bestätigung abgebrochen. Es wurde nichts abgebucht; bezahl, wann du möchtest.',
  },
  pending: {
    en: 'The bank has not answered yet. You need not pay again.',
    de: 'Die Bank hat noch nicht geantwortet. Du musst nicht noch einmal bezahlen.',
  },
  failed: {
    en: 'The payment could not be sent. Try again: you will be charged once at most.',
    de: 'Die Zahlung wurde nicht gesendet. Versuch es noch einmal: Es wird höchstens einmal abgebucht.',
  },
  broughtAlong: {
    en: 'In your order when you came here: {lines}. Please check it: by paying you confirm it.',
    de: 'Schon in deiner Bestellung, als du hierherkamst: {lines}. Bitte prüfe es: Mit dem Bezahlen bestätigst du es.',
  },
  moved: { en: 'Your order goes on in another page.', de: 'Deine Bestellung geht auf einer anderen Seite weiter.' },
  startOver: { en: 'Start a new order', de: 'Neue Bestellung beginnen' },
  paid: { en: 'This order is paid.', de: 'Diese Bestellung ist bezahlt.' },
  thanks: { en: 'Thank you', de: 'Vielen Dank' },
  noReceipt: { en: 'Nothing was bought here yet.', de: 'Hier wurde noch nichts gekauft.' },
  isPaid: { en: 'Paid', de: 'Bezahlt' },
  isPending: { en: 'Your payment is being confirmed.', de: 'Deine Zahlung wird bestätigt.' },
  refunded: { en: 'Refunded', de: 'Erstattet' },
  orderNumber: { en: 'Order number', de: 'Bestellnummer' },
  again: { en: 'Back to the shop', de: 'Zurück zum Shop' },
  receiptTo: { en: 'Order for {email}', de: 'Bestellung für {email}' },
} satisfies Record<string, Translation>
