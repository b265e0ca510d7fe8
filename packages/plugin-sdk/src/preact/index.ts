export { PageProvider } from './page-provider.ts'
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
