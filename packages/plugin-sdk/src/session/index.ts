export { hasPlaced, isSameLine, NEXT_TOKEN_KEY, type Receipt, type SessionState, wantedLines } from './record.ts'
export { type OpenSession, openSession, type SessionStore } from './session.ts'
