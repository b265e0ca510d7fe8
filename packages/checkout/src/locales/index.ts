export { loadTexts, packTexts } from './language-files.ts'
export { directionOf, localeTags, pickLocale } from './locale.ts'
export { codeHint, en, errorText, type Texts } from './texts.ts'
