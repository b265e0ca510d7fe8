export { type Asking, askHook, forgetHookAnswers, type HookSubject } from './ask-hook.ts'
export { hookCaller, hookWayOut } from './call-hook.ts'
export { hooks, sealedHookSecrets } from './hooks.ts'
export { findHooks, type StoreHooks } from './hook-records.ts'
