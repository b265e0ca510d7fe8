import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import type { PaymentMethodType } from '@tillwright/contract'
import { html, raw } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import { formatMoney } from '../page/money.js'
import type { Offer, OfferedVariant } from './offer.ts'
import type { Language } from './texts/index.ts'

/** Piece of a page, escaped. */
export type Html = ReturnType<typeof html>

/** The variable parts of a shop page. */
export interface PageParts {
  language: Language
  title: string
  /** Scripts and the like, for the head. */
  head: Html
  panel: Html
}

/** A page of the shop. */
export function shopDocument({ language: { tag, direction, texts }, title, head, panel }: PageParts): Html {
  return html`<!doctype html>
    <html lang="${tag}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${texts.about}" />
        <title>${title} · Fernhill Supply</title>
        <link rel="icon" href="/icon.svg" />
        <link rel="stylesheet" href="/shop.css" />
        ${head}
      </head>
      <body>
        <header class="bar">
          <a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28" />Fernhill Supply</a>
          <span class="badge">${texts.testShop}</span>
        </header>
        <main>
          <div class="picture"><img src="/tote.svg" alt="" width="480" height="480" /></div>
          <div class="panel">${panel}</div>
        </main>
        <footer>${texts.footer}</footer>
      </body>
    </html>`
}

/** The account's settings in the page. Nothing of this is secret: it is in the page's source. */
export interface PageSettings {
  apiUrl: string
  vaultUrl: string
  publishableKey: string
  storeId: string
  /** Methods for the initial currency: the page reserves room for these when it loads. */
  methods: readonly PaymentMethodType[]
  /** Whether cards are all that can be paid with, in every currency. */
  onlyCards: boolean
}

/**
 * The page that sells. What is sold and what it costs is in the document, so that it is there before any script; the
 * button cannot be pressed before the card form is there.
 */
export function shopPage(offer: Offer, settings: PageSettings, language: Language): Html {
  const { vaultUrl, methods, onlyCards } = settings
  const { texts, tag } = language
  const { name, description, currencies, variants } = offer
  const [currency = ''] = currencies
  const chosen = variants.find((variant) => variant.default) ?? variants[0]
  const total = formatMoney(chosen?.amounts[currency] ?? 0, currency, tag)
  const blocked = texts.blocked.replace('{host}', new URL(vaultUrl).host)
  return shopDocument({
    language,
    title: name,
    head: scripts(offer, settings, { ...texts, blocked }),
    panel: html`<h1><bdi>${name}</bdi></h1>
      <p class="description"><bdi>${description}</bdi></p>
      <form id="purchase" novalidate>
        <fieldset id="order">
          <div id="variants" role="radiogroup" aria-label="${texts.choice}">
            ${variants.map((variant) => variantChoice(variant, { isChosen: variant === chosen, currency, tag }))}
          </div>
          <div class="row">
            <div class="field">
              <label for="quantity">${texts.quantity}</label>
              <div class="stepper">
                <button id="less" type="button" aria-label="${texts.less}">&minus;</button>
                <input id="quantity" inputmode="numeric" autocomplete="off" maxlength="2" value="1" />
                <button id="more" type="button" aria-label="${texts.more}">+</button>
              </div>
            </div>
            ${currencies.length > 1 && currencyChoice(currencies, texts.currency)}
          </div>
          <div id="wallets"></div>
          <h2>${onlyCards ? texts.payByCard : texts.payment}</h2>
          <div class="field">
            <label for="email">${texts.email}</label>
            <input id="email" type="email" autocomplete="email" spellcheck="false" aria-describedby="email-problem" />
            <p class="complaint" id="email-problem" aria-live="polite"></p>
          </div>
        </fieldset>
        <div id="means" data-methods="${onlyCards ? 0 : methods.length}"></div>
        <noscript><p class="problem">${texts.needsScript}</p></noscript>
        <p class="problem late" id="blocked">${blocked}</p>
        <p class="problem" id="problem" role="alert"></p>
        <p class="total"><span>${texts.total}</span><output id="total" for="quantity">${total}</output></p>
        <button class="pay" id="pay" disabled>
          <span id="pay-label">${texts.pay.replace('{amount}', total)}</span>
        </button>
        ${numbersToTry(language, methods.includes('sepa_debit'))}
      </form>`,
  })
}

/** The page's scripts, and what they have to know. */
function scripts(
  { currencies, variants }: Offer,
  { apiUrl, vaultUrl, publishableKey, storeId, onlyCards }: PageSettings,
  { pay, emailWrong, unconfirmed, cardUnchecked, blocked }: Language['texts'],
): Html {
  const beyondCards = onlyCards ? null : { storeId, apiUrl }
  const texts = { pay, emailWrong, unconfirmed, cardUnchecked, blocked }
  const data = { publishableKey, beyondCards, currencies, variants, texts }
  // In a script element only `<` could end the JSON early.
  return html`<script src="${new URL('/v1/tillwright.js', vaultUrl).href}" defer></script>
    <script src="/shop.js" type="module"></script>
    ${!onlyCards && html`<link rel="modulepreload" href="/methods.js" />`}
    <script id="offer" type="application/json">
      ${raw(JSON.stringify(data).replaceAll('<', '\\u003c'))}
    </script>`
}

function variantChoice(
  { id, name, amounts }: OfferedVariant,
  { isChosen, currency, tag }: { isChosen: boolean; currency: string; tag: string },
): Html {
  return html`<label>
    <input type="radio" name="variant" value="${id}" ${isChosen ? 'checked' : ''} />
    <span><bdi>${name}</bdi></span>
    <span class="price" id="price-${id}">${formatMoney(amounts[currency] ?? 0, currency, tag)}</span>
  </label>`
}

function currencyChoice(currencies: readonly string[], label: string): Html {
  return html`<div class="field">
    <label for="currency">${label}</label>
    <span class="select">
      <select id="currency">
        ${currencies.map((code) => html`<option>${code}</option>`)}
      </select>
    </span>
  </div>`
}

function numbersToTry({ texts }: Language, withAccounts: boolean): Html {
  const cards = [
    [texts.cardPays, '4242 4242 4242 4242'],
    [texts.cardAsks, '4000 0027 6000 3184'],
    [texts.cardDeclined, '4000 0000 0000 0002'],
    [texts.cardPoor, '4000 0000 0000 9995'],
  ]
  const accounts = [
    [texts.debitPays, 'AT61 1904 3002 3457 3201'],
    [texts.debitRefuses, 'AT86 1904 3002 3547 3202'],
  ]
  return html`<details>
    <summary>${withAccounts ? texts.numbersToTry : texts.cardsToTry}</summary>
    <p>${texts.noMoney}</p>
    <dl>
      ${[...cards, ...(withAccounts ? accounts : [])].map(
        ([meaning, number]) =>
          html`<div>
            <dt>${meaning}</dt>
            <dd><bdi dir="ltr">${number}</bdi></dd>
          </div>`,
      )}
    </dl>
  </details>`
}

/** Serves the pages' styles, scripts and pictures. */
export const pageFiles = serveStatic({ root: fileURLToPath(new URL('../page/', import.meta.url)) })

/**
 * Lets the page run the shop's own files and the checkout, and nothing else.
 *
 * @param apiUrl The API's address, for a page with methods besides cards, which asks it what can be paid with.
 */
export function pageHeaders({ vaultUrl, apiUrl }: { vaultUrl: string; apiUrl?: string }) {
  const self = "'self'"
  const vault = new URL(vaultUrl).origin
  const asked = apiUrl === undefined ? [] : [new URL(apiUrl).origin]
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: [self, vault],
      frameSrc: [vault],
      styleSrc: [self],
      imgSrc: [self],
      connectSrc: [self, vault, ...asked], // wallets ask the vault from the page itself
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  })
}
