import { expect, test } from 'vitest'
import { findCardFields, findCardFieldsInHtml } from './card-fields.ts'

const found = (script: string) => findCardFields(script).map(({ code }) => code)

test.for([
  ['autofill of a number', 'a("input",{autocomplete:"cc-number"})'],
  ['autofill in a section', 'a("input",{autoComplete:"section-a billing cc-csc"})'],
  ['autofill of an expiry date', "a('input',{autocomplete:'cc-exp'})"],
  ['autofill passed on by a component', 'a(Field,{autoComplete:"cc-number",label:t})'],
  ['a name', 'a("input",{type:"text",name:"cardNumber"})'],
  ["a form field's name", 'a("input",{name:"payment[card_number]"})'],
  ['an id', 'a("input",{id:"cc-num",onInput:()=>{b({c:1})}})'],
  ["a security code's name", 'a("input",{name:"cvc"})'],
  ['a placeholder text', 'a("input",{placeholder:"Your card number"})'],
  ['a placeholder in German', 'a("input",{placeholder:"Kartennummer"})'],
  ['a placeholder in digits', 'a("input",{placeholder:"1234 1234 1234 1234"})'],
  ['a placeholder of dots', 'a("input",{placeholder:"•••• •••• •••• ••••"})'],
  ['an aria-label', 'a("input",{"aria-label":"Card number"})'],
  ['a text area', 'a("textarea",{name:"card_no"})'],
  ['an input created by a script', 'let a=document.createElement("input");a.name="cardnumber";b(a)'],
  ['an attribute set by a script', 'let a=document.createElement(`input`);a.setAttribute("id","card-cvv")'],
  ['autofill set by a script', 'a.autocomplete="cc-number"'],
  ['HTML in a string', String.raw`a.innerHTML="<p><input name=\"cardNumber\" maxlength=19></p>"`],
  ['HTML in a template', 'a.innerHTML=`<input\n  type="text" autocomplete=cc-number>`'],
])('an input is recognised by %s', ([, script = '']) => {
  expect(found(script)).toEqual(['card-field'])
})

test.for([
  ['a name that a component may pass to an input', 'a(Field,{name:"cardNumber"})'],
  ['a label', 'a("label",{for:b,children:["Card number"," *"]})'],
])('%s is suspicious', ([, script = '']) => {
  expect(found(script)).toEqual(['card-field-suspected'])
})

test.for([
  ['an ordinary input', 'a("input",{name:"email",autocomplete:"email",placeholder:"you@example.com"})'],
  ['a telephone number', 'a("input",{name:"phone",placeholder:"+49 1234 5678"})'],
  ['a gift card number', 'a("input",{name:"giftCardNumber",placeholder:"Gift card number"})'],
  ['a membership number', 'a("input",{id:"membership_card_number"})'],
  ['a choice between saved cards', 'a("input",{type:"radio",name:"cardNumber",value:b})'],
  [
    'a checkbox',
    'a("label",{children:[a("input",{type:"checkbox",name:"save"}),"Save my card number for next time"]})',
  ],
  ['a sentence', 'a("p",{children:"We never see your card number."})'],
  ['a table of texts', '({title:"Card number",cardNumber:"Card number"})'],
  ['the place of the card form', 'a("div",{id:"card"})'],
  ['a class', 'a("div",{class:"cc-number"})'],
])('%s is not reported', ([, script = '']) => {
  expect(found(script)).toEqual([])
})

test('inputs in a document are recognised in the same way', () => {
  const html = '<label>Mail <input name="mail"></label>\n<input data-a="1" NAME = \'card-number\'>'
  expect(findCardFieldsInHtml(html)).toMatchObject([{ code: 'card-field', index: html.lastIndexOf('<input') }])
  expect(findCardFieldsInHtml('<input type=hidden name=cardNumber>')).toEqual([])
})

test('each input of a script is found at its start', () => {
  const script = 'a("p",{});a("input",{name:"cvc"});a("input",{name:"a"});a("input",{name:"cardnumber"})'
  const places = findCardFields(script).map(({ index }) => script.slice(index, index + 8))
  expect(places).toEqual(['"input",', '"input",'])
  expect(findCardFields(script).map(({ index }) => index)).toEqual([
    script.indexOf('"input"'),
    script.lastIndexOf('"input"'),
  ])
})

test.for([
  ['escapes in quotes that never close', 'name:"', '\\\\'],
  ['escaped quotes in quotes that never close', "id:'", "\\'"],
  ['an assignment that never closes', '.title="', '\\a'],
  ['an attribute that never closes', '.setAttribute("id","', '\\"'],
  ['a label of escaped quotes', '"label",{', "\\'"],
  ['a label of spaces', '"label",{children:"', ' '],
  ['inputs that never close', '', '"input",{'],
  ['nested inputs', '', '"input",{name:"a",b:'],
  ['nested labels', '', '"label",{children:['],
  ['adjacent inputs', '', '"input",{name:"a"}),name:"b",'],
  ['tags without an end', '<input', ' a="'],
  ['a tag of one word', '<input ', 'a'],
  ['a tag of spaces', '<input a', ' '],
  ['names without values', '', 'name: '],
])('a script of %s is scanned in linear time', ([, start = '', piece = '']) => {
  const script = start + piece.repeat(500_000 / piece.length)
  const before = process.threadCpuUsage() // CPU time, because other programs may keep the machine busy for seconds
  findCardFields(script)
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(3_000)
})

test('escapes do not hide an attribute', () => {
  expect(found(String.raw`a("input",{title:"\\",alt:'it\'s',name:"cvc"})`)).toEqual(['card-field'])
  expect(found(String.raw`a("label",{for:"it\"s",children:"Card number"})`)).toEqual(['card-field-suspected'])
})
