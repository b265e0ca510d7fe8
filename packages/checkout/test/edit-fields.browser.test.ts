import type { FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mountCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

interface Form {
  page: Page
  frame: FrameLocator
  number: Locator
  expiry: Locator
  cvc: Locator
}

async function openForm(): Promise<Form> {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  return { page, frame, number: frame.locator('#number'), expiry: frame.locator('#expiry'), cvc: frame.locator('#cvc') }
}

async function texts({ number, expiry, cvc }: Form): Promise<string[]> {
  return [await number.inputValue(), await expiry.inputValue(), await cvc.inputValue()]
}

function caretOf(field: Locator): Promise<number | null> {
  return field.evaluate((input: HTMLInputElement) => input.selectionStart)
}

/** Pastes as Chromium does it for Ctrl+V: the clipboard's text through the editor, with its own events. */
async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.shopUrl })
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await field.focus()
  await page.keyboard.press('ControlOrMeta+V')
}

test('a whole card pasted into the number fills in all three fields', async () => {
  const form = await openForm()
  await paste(form.page, form.number, '4242 4242 4242 4242 12/34 123')
  expect(await texts(form)).toEqual(['4242 4242 4242 4242', '12 / 34', '123'])
  await form.page.waitForFunction(() =>
    window.events.some(([name, state]) => name === 'change' && (state as { complete: boolean }).complete),
  )
})

test('what is pasted into the middle stays there, spaces and dashes or not, and the caret behind it', async () => {
  const form = await openForm()
  await form.number.pressSequentially('4242')
  for (let presses = 0; presses < 2; presses += 1) await form.number.press('ArrowLeft')
  await paste(form.page, form.number, '9-9 9')
  expect(await form.number.inputValue()).toBe('4299 942')
  expect(await caretOf(form.number)).toBe(6)
})

test('edits are undone and redone by the keys of the system', async () => {
  const form = await openForm()
  await form.number.pressSequentially('42424')
  await form.number.press('ControlOrMeta+Z')
  expect(await form.number.inputValue()).toBe('4242')
  await form.number.press('ControlOrMeta+Z')
  await form.number.press('ControlOrMeta+Shift+Z')
  expect(await form.number.inputValue()).toBe('4242')
  await form.number.press('ControlOrMeta+Y')
  expect(await form.number.inputValue()).toBe('4242 4')
  await form.number.press('ControlOrMeta+A')
  await form.number.press('Delete')
  await form.number.press('ControlOrMeta+Z')
  expect(await form.number.inputValue()).toBe('4242 4')
  await form.expiry.pressSequentially('123')
  await form.expiry.press('Backspace')
  await form.expiry.press('Backspace')
  expect(await form.expiry.inputValue()).toBe('1')
  await form.expiry.press('ControlOrMeta+Z')
  expect(await form.expiry.inputValue()).toBe('12')
})

test('what a pasted line filled in is undone in its own field', async () => {
  const form = await openForm()
  await paste(form.page, form.number, '4242 4242 4242 4242 12/34 123')
  await form.expiry.press('ControlOrMeta+Z')
  expect(await texts(form)).toEqual(['4242 4242 4242 4242', '', '123'])
})

test('a cleared form cannot be undone', async () => {
  const form = await openForm()
  await form.number.pressSequentially('4242')
  await form.page.evaluate(() => window.card.clear())
  await form.frame.locator('#number:placeholder-shown').waitFor()
  await form.number.press('ControlOrMeta+Z')
  expect(await form.number.inputValue()).toBe('')
})

test('an input method is left alone until it is done', async () => {
  const form = await openForm()
  const session = await form.page.context().newCDPSession(form.page)
  await form.number.focus()
  for (const text of ['４', '４２', '４２４２４']) {
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    expect(await form.number.inputValue()).toBe(text)
  }
  await session.send('Input.insertText', { text: '４２４２４' })
  await expect.poll(() => form.number.inputValue()).toBe('4242 4')
  expect(await caretOf(form.number)).toBe(6)
})

test('a number can be dropped into its field', async () => {
  const form = await openForm()
  const session = await form.page.context().newCDPSession(form.page)
  const box = await form.number.boundingBox()
  const x = (box?.x ?? 0) + 20
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2
  const data = { items: [{ mimeType: 'text/plain', data: '4242-4242-4242-4242' }], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
  }
  await expect.poll(() => form.number.inputValue()).toBe('4242 4242 4242 4242')
})

test('digits of other scripts become those of the card', async () => {
  const form = await openForm()
  await form.number.pressSequentially('٤٢۴۲४२４２')
  await form.expiry.pressSequentially('١٢٣٤')
  expect(await texts(form)).toEqual(['4242 4242', '12 / 34', ''])
})

test('what a browser fills in with no event but change is arranged', async () => {
  const form = await openForm()
  for (const [field, filled] of [
    [form.number, '4242424242424242'],
    [form.expiry, '2034-12'],
    [form.cvc, '123'],
  ] as const) {
    await field.evaluate((input: HTMLInputElement, text) => {
      input.value = text
      input.dispatchEvent(new Event('change'))
    }, filled)
  }
  expect(await texts(form)).toEqual(['4242 4242 4242 4242', '12 / 2034', '123'])
  await form.page.waitForFunction(() => {
    const [, state] = window.events.findLast(([name]) => name === 'change') ?? []
    return (state as { complete?: boolean } | undefined)?.complete
  })
})

test('what a browser fills in without any event is found by the animation of autofilled fields', async () => {
  const form = await openForm()
  await form.number.evaluate((input: HTMLInputElement) => {
    const animation = Array.from(document.styleSheets)
      .flatMap((sheet) => Array.from(sheet.cssRules))
      .find((rule) => rule instanceof CSSStyleRule && rule.selectorText.includes(':autofill'))
    input.value = '4242424242424242'
    // No script can make a field an autofilled one, so the field gets that rule's animation.
    if (animation instanceof CSSStyleRule) input.style.animation = animation.style.animation
  })
  await expect.poll(() => form.number.inputValue()).toBe('4242 4242 4242 4242')
})

test('the keyboard moves on by itself from field to field, and the Tab of habit skips none', async () => {
  const form = await openForm()
  await form.number.focus()
  for (const typed of ['4242424242424242', '1234']) {
    await form.page.keyboard.type(typed)
    await form.page.keyboard.press('Tab')
  }
  await form.page.keyboard.type('123')
  expect(await texts(form)).toEqual(['4242 4242 4242 4242', '12 / 34', '123'])
  await form.number.focus()
  await form.page.keyboard.press('Tab')
  await form.frame.locator('#expiry:focus').waitFor()
  await form.page.keyboard.press('Tab')
  await form.frame.locator('#cvc:focus').waitFor()
})

test('the Tab that is taken for habit is one, and a second one goes on', async () => {
  const form = await openForm()
  await form.number.focus()
  await form.page.keyboard.type('4242424242424242')
  await form.page.keyboard.press('Tab')
  await form.frame.locator('#expiry:focus').waitFor()
  await form.page.keyboard.press('Tab')
  await form.frame.locator('#cvc:focus').waitFor()
})

test('the keyboard stays with a buyer who went back, corrects in the middle or has filled in the rest', async () => {
  const form = await openForm()
  await form.number.focus()
  await form.page.keyboard.type('424242424242424')
  await form.expiry.pressSequentially('12')
  await form.number.press('End')
  await form.page.keyboard.type('2')
  expect(await form.number.evaluate((input) => document.activeElement === input)).toBe(true)
  await form.expiry.fill('')
  await form.number.press('End')
  await form.page.keyboard.press('ArrowLeft')
  await form.page.keyboard.press('Backspace')
  await form.page.keyboard.type('4')
  expect(await form.number.inputValue()).toBe('4242 4242 4242 4242')
  expect(await form.number.evaluate((input) => document.activeElement === input)).toBe(true)
})

test('a number that fails its check keeps the keyboard', async () => {
  const form = await openForm()
  await form.number.focus()
  await form.page.keyboard.type('4242424242424241')
  expect(await form.number.evaluate((input) => document.activeElement === input)).toBe(true)
})

test('Tab leaves the form at its end and Shift+Tab at its beginning', async () => {
  const form = await openForm()
  await form.page.evaluate(() =>
    document.querySelector('main')?.insertAdjacentHTML('afterbegin', '<button id="before">'),
  )
  await form.number.focus()
  await form.page.keyboard.press('Shift+Tab')
  await form.page.locator('#before:focus').waitFor()
  await form.page.keyboard.press('Tab')
  await form.frame.locator('#number:focus').waitFor()
  await form.cvc.focus()
  await form.page.keyboard.press('Tab')
  await form.page.locator('#pay:focus').waitFor()
})

test('Enter in any field submits', async () => {
  const form = await openForm()
  const submits = () => form.page.evaluate(() => window.events.filter(([name]) => name === 'submit').length)
  for (const [index, id] of ['number', 'expiry', 'cvc'].entries()) {
    await form.frame.locator(`#${id}`).press('Enter')
    await expect.poll(submits).toBe(index + 1)
  }
})
