import 'virtual:tokens.css'
import './design/base.css'
import './design/controls.css'
import './shell/shell.css'
import './lists/lists.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { declareLanguage } from './language/language.ts'
import { loadTexts } from './language/texts.ts'

declareLanguage()
await loadTexts('shell')
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
