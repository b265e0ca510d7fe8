export { colours, tokensCss, type Token } from './tokens.ts'
