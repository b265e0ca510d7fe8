import type { Settings } from './read-options.ts'

// Not in TypeScript's library, since only Chromium has it.
declare global {
  interface Document {
    featurePolicy?: { features(): string[] }
  }
}

/**
 * A frame for the card form, not in the page yet. Until `showFrame()` it is a picture of the form's fields and as high as
 * the form will be; what loads in it cannot be seen, not even an error page of the browser.
 */
export function createIframe({ options }: Settings): HTMLIFrameElement {
  const iframe = document.createElement('iframe')
  iframe.title = 'Card details'
  // Scripts and the form's submit event are all that the frame needs; it keeps its own origin, which is never the
  // page's (readVaultOrigin), so it cannot lift the sandbox. Popups, dialogs and moving the page stay impossible.
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  // Browsers that do not know the feature would warn about it.
  if (document.featurePolicy?.features().includes('autofill')) iframe.allow = 'autofill'
  // Two rows of fields, each with its label above it. A grey that lets through what is below it fits any ground.
  const heightPx = options.appearance.theme === 'minimal' ? 134 : 154
  iframe.style.cssText = `display:block;width:100%;border:0;height:0;padding:${heightPx}px 0 0;background:repeating-linear-gradient(#0000 0 24px,#8883 0 70px,#0000 0 84px)`
  return iframe
}

/** Shows what the frame holds at its height. */
export function showFrame({ style }: HTMLIFrameElement, heightPx: number): void {
  style.padding = style.background = ''
  style.height = `${heightPx}px`
}
