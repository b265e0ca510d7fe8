// @ts-check
// Runs in a card frame of the playground, after the frame's own script.
{
  const filled = { number: '4242424242424242', expiry: '12/34', cvc: '123' }
  const wrong = { number: '4242424242424241', expiry: '12/20', cvc: '1' }
  const coBadged = { number: '6703444444444449', expiry: '12/34' }
  const named = { ...filled, name: 'Ada Lovelace' }
  /** @type {Record<string, Record<string, string>>} */
  const texts = {
    test_pk_filled: filled,
    test_pk_busy: filled,
    test_pk_error: wrong,
    test_pk_choice: coBadged,
    test_pk_name: named,
  }
  const key = new URLSearchParams(location.search).get('key') ?? ''
  const form = /** @type {HTMLFormElement} */ (document.querySelector('#card'))

  // The form is shown once it has its look and its language; from then on it listens to its fields.
  const observer = new MutationObserver(() => {
    observer.disconnect()
    for (const [id, text] of Object.entries(texts[key] ?? {})) fill(id, text)
    form.querySelector('input')?.classList.toggle('focus', key === 'test_pk_focused')
  })
  observer.observe(form, { attributeFilter: ['hidden'] })

  /** @param {string} id @param {string} text */
  function fill(id, text) {
    const input = /** @type {HTMLInputElement} */ (document.getElementById(id))
    input.value = text
    input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }))
    input.dispatchEvent(new FocusEvent('blur'))
  }
}
