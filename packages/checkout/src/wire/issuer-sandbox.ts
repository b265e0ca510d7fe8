/**
 * What a bank's page may do: open its app or its help, never move the shop's page. The sandbox of a frame holds for all
 * frames in it, so the 3-D Secure frame around that page has the same one.
 */
export const ISSUER_SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups'
