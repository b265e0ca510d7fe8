export { archiving, type Changed, changed, mergePatch, requireMetadata, updateRow } from './changes.ts'
