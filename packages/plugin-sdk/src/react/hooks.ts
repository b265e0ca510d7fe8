import { useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { createHooks } from '../hooks/create-hooks.ts'
import { PageContext } from './page-provider.ts'

export const {
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
} = createHooks({
  usePageContext: () => useContext(PageContext),
  useEffect,
  useState,
  useStore: ({ subscribe, get }) => useSyncExternalStore(subscribe, get, get),
})
