export { TillwrightCard } from './tillwright-card.ts'
