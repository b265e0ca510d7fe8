import { addCopyButtons } from './copy.ts'
import { startSearch } from './search.ts'

addCopyButtons()
startSearch()
