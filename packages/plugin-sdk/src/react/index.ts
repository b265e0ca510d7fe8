export { PageProvider } from './hooks.ts'
export {
  useCard,
  useConfig,
  useCustomer,
  useLocale,
  useMoney,
  useOrder,
  usePage,
  usePay,
  useSession,
  useStore,
  useText,
} from './hooks.ts'
